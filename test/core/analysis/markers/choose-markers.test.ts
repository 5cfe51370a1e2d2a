import t from 'tap'
import { chooseMarkers } from '../../../../src/core/analysis/markers/choose-markers.ts'
import type { Marker, MarkerSource, MarkerType } from '../../../../src/core/analysis/index.ts'

const marker = (
  type: MarkerType,
  source: MarkerSource,
  startMilliseconds: number,
  endMilliseconds: number,
): Marker => ({
  type,
  source,
  startMilliseconds,
  endMilliseconds,
  confidence: 0.8,
})

void t.test('chapters win where the sound agrees, the sound wins where they differ', async (t) => {
  const sound = marker('intro', 'sound', 10_000, 40_000)
  const agrees = marker('intro', 'chapters', 12_900, 37_100)
  const differs = marker('intro', 'chapters', 13_100, 40_000)
  t.match(chooseMarkers({ ofChapters: [agrees], ofSound: [sound] }), [{ source: 'chapters', confidence: 1 }])
  t.match(chooseMarkers({ ofChapters: [differs], ofSound: [sound] }), [{ source: 'sound' }])
  t.match(chooseMarkers({ ofChapters: [agrees], ofSound: [] }), [{ source: 'chapters', confidence: 0.8 }])
})

void t.test('pictures are asked last, and each type occurs once', async (t) => {
  const picture = marker('outro', 'picture', 90_000, 99_000)
  const outro = marker('outro', 'sound', 80_000, 99_000)
  const recap = marker('recap', 'chapters', 0, 9000)
  t.match(chooseMarkers({ ofChapters: [recap], ofSound: [outro], ofPicture: [picture] }), [
    { type: 'recap' },
    { type: 'outro', source: 'sound' },
  ])
  t.match(chooseMarkers({ ofChapters: [], ofSound: [], ofPicture: [picture] }), [{ source: 'picture' }])
  t.strictSame(chooseMarkers({ ofChapters: [], ofSound: [] }), [])
})
