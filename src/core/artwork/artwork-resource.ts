/** The resource that the signature of a picture covers, in every size. It is also the path of the URL. */
export function artworkResource(artworkId: string): string {
  return `/api/v1/artwork/${artworkId}`
}
