import { downloadResource, type Download } from '../../../core/downloads/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'

/** A converted file with its signed address, when it is ready. */
export function downloadView(download: Download, signer: UrlSigner) {
  return {
    id: download.id,
    media_item_id: download.itemId,
    quality: download.quality,
    status: download.status,
    progress: download.percent,
    size_bytes: download.sizeBytes,
    failure: download.failure,
    url: download.status === 'ready' ? signer.signUrl(downloadResource(download)) : null,
  }
}
