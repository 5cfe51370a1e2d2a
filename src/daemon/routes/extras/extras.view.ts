import type { Extra } from '../../../core/extras/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import type { FormatPath } from '../../http/path-formatter.ts'
import { streamResource } from '../media/media.view.ts'

/** A local extra is played by a signed URL like any item. A remote one is played on the site of its provider. */
export function extraView(
  itemId: string,
  extra: Extra,
  { signer, showPath }: { signer: UrlSigner; showPath: FormatPath },
) {
  const { id, title, type, durationSeconds, quality, path, url } = extra
  return {
    id,
    media_item_id: itemId,
    title,
    type,
    source: path === null ? 'remote' : 'local',
    url: url ?? signer.signUrl(streamResource(id)),
    duration: durationSeconds ?? 0,
    quality,
    is_local: path !== null,
    file_path: path === null ? '' : showPath(path),
  }
}
