/**
 * The command that sets a key, shown wherever one is missing. `-` reads the key from standard input and keeps it out of the process list.
 */
export const SET_KEY_HINT = 'phlix config:set metadata.tmdb.api_key -'
