import t from 'tap'
import { videoKind } from '../../../../src/core/scanning/media-kinds/video.ts'

void t.test('a disc among videos is one of them, under the name of its folder', (t) => {
  const names = ['VIDEO_TS.VOB', 'VTS_01_1.VOB', 'VTS_01_2.VOB']
  const { files } = videoKind.planFolder({ pathInsideRoot: 'Weddings/Ada and Bo/VIDEO_TS', names })
  t.match(
    [...files],
    [
      [
        'VTS_01_1.VOB',
        {
          identification: { name: 'Ada and Bo', metadata: { disc: 'dvd', folder: 'Weddings/Ada and Bo' } },
          role: null,
        },
      ],
      [
        'VTS_01_2.VOB',
        { identification: { name: 'Ada and Bo' }, role: { kind: 'part', of: { file: 'VTS_01_1.VOB' }, order: 2 } },
      ],
    ],
  )
  t.equal(files.size, 2)
  t.match(
    [...videoKind.planFolder({ pathInsideRoot: 'BDMV/STREAM', names: ['1.m2ts'] }).files.values()],
    [{ identification: { name: '1.m2ts', metadata: { disc: 'bluray' } } }],
  )
  t.end()
})
