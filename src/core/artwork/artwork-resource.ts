/** What a signature for a picture is made for, whatever its size, and the path of its address. */
export function artworkResource(artworkId: string): string {
  return `/api/v1/artwork/${artworkId}`
}
