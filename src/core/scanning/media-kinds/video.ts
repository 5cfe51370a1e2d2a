import { compareNaturally, type DiscStructure } from '../../naming/index.ts'
import { mediaFileKind } from '../../platform/files/index.ts'
import { describeVideo } from './describe-video.ts'
import { detectDiscInFolder, planDiscFiles, discTitle } from './disc-files.ts'
import { groupFilesByStem, normalizeStem, nfoFilesByStem, fileStem } from './file-stem.ts'
import { companionPictures } from './local-artwork.ts'
import type { MediaKind, PlannedFile } from './media-kind.ts'
import { companionSubtitles } from './subtitle-sidecars.ts'

/**
 * Videos that are not films: recordings, lessons, clips. Names are kept unchanged, and folders have no meaning: extras, versions and
 * parts do not exist here.
 */
export const videoKind: MediaKind = {
  fileKinds: ['video', 'subtitle', 'photo', 'sidecar'],
  planFolder(view) {
    const { names, pathInsideRoot } = view
    const disc = detectDiscInFolder(view)
    if (disc !== undefined) return { files: planDisc(disc), companions: [], group: null }
    const videos = names.filter((name) => mediaFileKind(name) === 'video').toSorted(compareNaturally)
    const nfo = nfoFilesByStem(names)
    const files = new Map(videos.map((name) => [name, planVideo(pathInsideRoot, name, nfo)]))
    const stems = groupFilesByStem(videos)
    const pictures = companionPictures({
      pictures: names.filter((name) => mediaFileKind(name) === 'photo'),
      files: stems,
      folder: videos.length === 1 ? videos[0] : undefined,
      folderName: pathInsideRoot.slice(pathInsideRoot.lastIndexOf('/') + 1),
      plain: 'thumb',
    })
    const subtitles = names.filter((name) => mediaFileKind(name) === 'subtitle')
    return { files, companions: [...pictures, ...companionSubtitles(subtitles, stems)], group: null }
  },
  describe: ({ identification, groups }, _facts, local) => ({ groups, ...describeVideo(identification, local) }),
}

/** Plans a DVD or Blu-ray as one video, named after the folder that contains it. */
function planDisc(disc: DiscStructure): Map<string, PlannedFile> {
  const { mainFile, folder, kind } = disc
  const planned = planVideo(folder, mainFile, new Map())
  const title = discTitle(disc)
  const metadata = { ...planned.identification.metadata, title, disc: kind }
  const identification = { ...planned.identification, name: title, sortTitle: title, metadata }
  return planDiscFiles(disc, { ...planned, identification })
}

function planVideo(pathInsideRoot: string, name: string, nfo: ReadonlyMap<string, string>): PlannedFile {
  const title = fileStem(name)
  const sidecar = nfo.get(normalizeStem(title))
  const metadata: Record<string, unknown> = { title }
  if (pathInsideRoot !== '') metadata['folder'] = pathInsideRoot
  return {
    as: 'video',
    // The sort title keeps punctuation, so that numbered clips of a camera stay in order.
    identification: { type: 'video', name: title, sortTitle: title, year: null, metadata },
    groups: [],
    role: null,
    sidecars: sidecar === undefined ? [] : [sidecar],
  }
}
