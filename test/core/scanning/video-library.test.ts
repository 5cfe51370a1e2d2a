import t from 'tap'
import { putFile, putSample, scannedLibrary } from '../../support/scanning.ts'

void t.test('every file of a video library is a video with its unchanged name; an NFO may rename it', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t, { type: 'video' })
  const paths = ['2019/Clips/VID_0001.mp4', '2019/Clips/VID_0002.mp4', 'Trailers/Our.Trip (2001) 1080p.mp4', 'cd1.mp4']
  for (const path of paths) await putSample(folder, path)
  putFile(folder, 'cd1.nfo', '<movie><title>The Wedding</title></movie>')
  t.match(await scan(), { status: 'completed', itemsAdded: 4 })
  const found = await items()
  t.strictSame([...found.keys()].toSorted(), paths)
  t.match(found.get('2019/Clips/VID_0001.mp4'), { type: 'video', name: 'VID_0001', year: null, parentId: null })
  t.match(found.get('2019/Clips/VID_0001.mp4')?.metadata, { folder: '2019/Clips' })
  t.match(found.get('Trailers/Our.Trip (2001) 1080p.mp4'), { name: 'Our.Trip (2001) 1080p' })
  t.match(found.get('cd1.mp4'), { name: 'The Wedding', metadata: { title: 'The Wedding' } })
})
