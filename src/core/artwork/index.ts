export type { ArtworkKind } from './artwork-kind.ts'
export {
  clearProviderArtwork,
  removeProviderArtwork,
  setProviderArtwork,
  type ProviderArtwork,
} from './provider-artwork.ts'
export { encodePoster, MAX_POSTER_BYTES, setEditedPoster } from './edited-poster.ts'
export { artworkResource } from './artwork-resource.ts'
export { artworkErrors } from './errors.ts'
export { listArtwork, type ListedArtwork } from './list-artwork.ts'
export { renderArtwork, renderItemPicture } from './render-artwork.ts'
export type { ArtworkAddress } from './artwork-address.ts'
export { createArtworkAddressCache, type ArtworkAddressCache } from './artwork-address-cache.ts'
export { readArtworkAddresses, type ArtworkAddresses } from './read-artwork-addresses.ts'
