export { canonicalKey } from './canonical-key.ts'
export { extraTypeOf, isExtra } from './extras.ts'
export { parseMovieName } from './movie-name.ts'
export { sortTitle } from './sort-title.ts'
