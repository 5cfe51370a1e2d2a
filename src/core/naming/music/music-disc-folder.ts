const DISC = /^(?:cd|dvd|dis[ck]|vol|volume|part|digital media) *-? *(\d{1,3})(?: *\(.*\)| *\[.*\]|)$/i
/** A title after the number is allowed only if the word means nothing but a disc: `CD1 - Live`, but Volume 1 - Hits is an album. */
const TITLED = /^(?:cd|dis[ck]) *-? *(\d{1,3}) *(?:[-:–_] *\S.*)$/i

/**
 * The disc number of a folder, whose files belong to the album of the folder above, or null for any other folder. `Disc 01 (Hugo Wolf ·
 * 24 Lieder)`, `cd  - 1`, `volume1`. Verified with test rows of Jellyfin's MultiDiscAlbumTests.
 */
export function parseDiscNumber(folderName: string): number | null {
  const name = folderName.slice(0, 512).trim()
  const match = DISC.exec(name) ?? TITLED.exec(name)
  return match === null ? null : Number(match[1])
}
