// What a chart does when pointers and keys come, fetched as one.
export { listenToGestures } from './gestures';
export { findHover } from './hover-index';
export { listenToKeys } from './keys';
export { OverlayLayer } from './overlay-layer';
export * from './point-cursor';
export * from './zoom';
