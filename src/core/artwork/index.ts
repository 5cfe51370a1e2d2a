export type { ArtworkKind } from './artwork-kind.ts'
export { clearProviderArtwork, setProviderArtwork, type ProviderArtwork } from './provider-artwork.ts'
export { readArtworkAddresses, type ArtworkAddress, type ArtworkAddresses } from './read-addresses.ts'
