import t from 'tap'
import {
  limitPlaylistBandwidth,
  variantBitRate,
} from '../../../../src/core/streaming/playlist/limit-playlist-bandwidth.ts'

const MASTER = `#EXTM3U
#EXT-X-VERSION:4
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",DEFAULT=NO,AUTOSELECT=YES,URI="media_va2.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=4000900,AVERAGE-BANDWIDTH=3000000,RESOLUTION=1280x720
media_v720p.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360
media_v360p.m3u8
`

void t.test('a quality needs its bandwidth, rounded up so that what is not offered is refused', (t) => {
  t.strictSame(variantBitRate(MASTER, '720p'), { kbps: 4001, isLowest: false })
  t.strictSame(variantBitRate(MASTER, '360p'), { kbps: 900, isLowest: true })
  t.notMatch(limitPlaylistBandwidth(MASTER, 4000), /720p/)
  t.match(limitPlaylistBandwidth(MASTER, 4001), /720p/)
  t.match(limitPlaylistBandwidth(MASTER, 0), /360p/)
  t.end()
})

void t.test('what is fetched beside a quality needs nothing of its own', (t) => {
  for (const name of ['a2', 's0', '9999p', null]) t.equal(variantBitRate(MASTER, name), undefined, String(name))
  t.end()
})
