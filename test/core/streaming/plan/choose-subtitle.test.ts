import t from 'tap'
import { chooseSubtitle } from '../../../../src/core/streaming/index.ts'

const track = (index: number, language: string, more = {}) => ({
  index,
  language,
  streamIndex: index,
  path: null,
  label: `${index}`,
  isDefault: false,
  isForced: false,
  isHearingImpaired: false,
  isGone: false,
  ...more,
})

void t.test('full subtitles of the viewer’s language are chosen, never forced ones', (t) => {
  const tracks = [
    track(0, 'en', { isDefault: true }),
    track(1, 'de', { isForced: true }),
    track(2, 'de', { isGone: true }),
    track(3, 'de', { isHearingImpaired: true }),
    track(4, 'de'),
    track(5, 'fr', { isHearingImpaired: true }),
    track(6, 'und'),
    track(7, 'pt-BR'),
  ]
  for (const language of ['de', 'ger', 'deu', 'German', 'de-AT']) t.equal(chooseSubtitle(tracks, language), 4, language)
  t.equal(chooseSubtitle(tracks, 'fr'), 5, 'those for the hard of hearing where there are no others')
  t.equal(chooseSubtitle(tracks, 'pt'), 7)
  for (const language of ['it', 'und', '', 'no language']) t.equal(chooseSubtitle(tracks, language), null, language)
  t.end()
})
