/** How a key is given: shown wherever one is missing. `-` keeps it out of the process list. */
export const SET_KEY_HINT = 'phlix config:set metadata.tmdb.api_key -'
