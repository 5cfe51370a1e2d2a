export type { ArtworkKind } from './artwork-kind.ts'
export {
  clearProviderArtwork,
  removeProviderArtwork,
  setProviderArtwork,
  type ProviderArtwork,
} from './provider-artwork.ts'
export { artworkResource } from './artwork-resource.ts'
export { artworkErrors } from './errors.ts'
export { openArtwork } from './open-artwork.ts'
export type { ArtworkAddress } from './artwork-address.ts'
export { readArtworkAddresses, type ArtworkAddresses } from './read-addresses.ts'
