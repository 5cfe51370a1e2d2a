import {
  extraTypeFromSuffix,
  findExtrasOwnerFolder,
  parseMovieName,
  sortTitle,
  type ExtraType,
} from '../../naming/index.ts'
import { fileStem } from './file-stem.ts'
import type { ItemGroup, PlannedFile, RoleOwner } from './media-kind.ts'

/** Titles of extras that have only a type. */
const TITLES: Readonly<Record<ExtraType, string>> = {
  trailer: 'Trailer',
  featurette: 'Featurette',
  behind_the_scenes: 'Behind the Scenes',
  interview: 'Interview',
  clip: 'Clip',
  deleted_scene: 'Deleted Scene',
  scene: 'Scene',
  short: 'Short',
  sample: 'Sample',
  theme_song: 'Theme',
  theme_video: 'Theme',
  other: 'Extra',
}

type ExtraPlace = { pathInsideRoot: string; name: string; type: ExtraType; of: RoleOwner; groups: readonly ItemGroup[] }

/** Plans an extra: a separate video that lists omit. */
export function planExtra({ pathInsideRoot, name, type, of, groups }: ExtraPlace): PlannedFile {
  const title = extraTitle(pathInsideRoot, name, type)
  return {
    as: 'video',
    identification: {
      type: 'video',
      name: title,
      sortTitle: sortTitle(title),
      year: null,
      metadata: { title, extra_type: type },
    },
    groups,
    role: { kind: 'extra', of, label: title, order: null },
    sidecars: [],
  }
}

const NUMBER_AT_END = /(\d{1,3})$/

/** Returns the title of an extra: its type with its number, or the file's name in a folder of extras without such a suffix. */
function extraTitle(pathInsideRoot: string, name: string, type: ExtraType): string {
  const stem = fileStem(name)
  const isInExtraFolder = findExtrasOwnerFolder(pathInsideRoot) !== pathInsideRoot
  if (isInExtraFolder && extraTypeFromSuffix(stem) === undefined) return parseMovieName(name).title
  const number = NUMBER_AT_END.exec(stem)?.[1]
  const title = /teaser\d{0,3}$/i.test(stem) ? 'Teaser' : TITLES[type]
  return number === undefined ? title : `${title} ${Number(number)}`
}
