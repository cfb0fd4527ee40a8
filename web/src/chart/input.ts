// What a chart listens to, fetched as one.
export { listenToGestures } from './gestures';
export { listenToKeys } from './keys';
