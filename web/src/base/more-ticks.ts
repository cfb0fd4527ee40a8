// Ticks of all axes that are not plainly linear, fetched as one (ticks.ts).
export { logTicks, symlogTicks } from './log-ticks';
export { calendarTicks, durationTicks } from './time-ticks';
