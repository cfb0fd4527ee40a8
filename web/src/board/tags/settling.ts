// How long a page that is filled from above keeps back what would be pushed away by something still coming above it. What takes longer
// keeps nobody from what is there. In a file of its own for the browser's tests, which let it take as long as they do.
export const LONGEST_SETTLING_MS = 1500;
