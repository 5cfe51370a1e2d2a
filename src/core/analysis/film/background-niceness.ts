/** The priority of programs that analyse films: below requests, encoders and pictures of pages. */
export const BACKGROUND_NICENESS = 19
