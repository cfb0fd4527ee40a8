// Dashboards of values that are no numbers. One file for their doors, as each name of a script in the first view counts there.

export const loadImages = () => import('./images/entry');
export const loadAudio = () => import('./audio/entry');
export const loadText = () => import('./text/entry');
export const loadTables = () => import('./tables/entry');
