import { MARKER_TYPES, type Marker } from '../film/marker.ts'

/** Where chapters and sound differ by more than this, the sound is right: chapters may have been copied from another edition. */
const MAX_DIFFERENCE_MILLISECONDS = 3000

/**
 * Chooses one marker of each type. Markers of chapters have priority, unless the sound of the season has the marker at another time. Pure.
 * @param found.ofPicture the credits that the pictures show
 */
export function chooseMarkers(found: {
  ofChapters: readonly Marker[]
  ofSound: readonly Marker[]
  ofPicture?: readonly Marker[]
}): Marker[] {
  return MARKER_TYPES.flatMap((type) => {
    const [chapters, sound, picture] = [found.ofChapters, found.ofSound, found.ofPicture ?? []].map((markers) =>
      markers.find((marker) => marker.type === type),
    )
    if (chapters !== undefined && sound !== undefined)
      return [isSame(chapters, sound) ? { ...chapters, confidence: 1 } : sound]
    return [chapters ?? sound ?? picture ?? []].flat()
  })
}

function isSame(one: Marker, other: Marker): boolean {
  return (
    Math.abs(one.startMilliseconds - other.startMilliseconds) <= MAX_DIFFERENCE_MILLISECONDS &&
    Math.abs(one.endMilliseconds - other.endMilliseconds) <= MAX_DIFFERENCE_MILLISECONDS
  )
}
