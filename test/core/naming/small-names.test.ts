import t from 'tap'
import { parseIgnoreRules } from '../../../src/core/platform/files/ignore-rules.ts'
import { detect3dFormat } from '../../../src/core/naming/release/format-3d.ts'
import { parsePhotoDate } from '../../../src/core/naming/photo/parse-photo-date.ts'
import { parseStub } from '../../../src/core/naming/video/stub-file.ts'
import { parseSubtitleName } from '../../../src/core/naming/video/subtitle-name.ts'
import { rowsOf, scoreRows } from '../../support/naming-rows.ts'

void t.test('3D formats', (t) => {
  type Row = { path: string; is_3d: boolean; format?: string; src: string }
  scoreRows(t, 'format_3d', rowsOf<Row>('format_3d'), ({ path, format }) => {
    const actual = detect3dFormat(path)
    return actual === format ? undefined : `${path} -> ${actual}, not ${format}`
  })
  const titles = ['The Tab (2001).mkv', 'Step Up 3D (2010).mkv', 'Ou est la main.mkv', 'Subs.mkv']
  for (const title of titles) t.equal(detect3dFormat(title), undefined, title)
  t.equal(detect3dFormat('Film (2001) Half-SBS.mkv'), 'hsbs')
  t.equal(detect3dFormat('Film.2001.3D.H-OU.1080p.mkv'), 'hou')
  t.end()
})

void t.test('stubs and the media that they represent', (t) => {
  type Row = { path: string; is_stub: boolean; stub_type?: string; src: string }
  scoreRows(t, 'stubs', rowsOf<Row>('stubs'), ({ path, is_stub: isStub, stub_type: type }) => {
    const actual = parseStub(path)
    const isRight = (actual !== undefined) === isStub && (actual?.type ?? undefined) === type
    return isRight ? undefined : `${path} -> ${JSON.stringify(actual)}, not ${type}`
  })
  t.equal(parseStub('video.mkv'), undefined)
  t.equal(parseStub('video.dvd'), undefined)
  t.end()
})

void t.test('names of subtitles beside a video', (t) => {
  type Row = {
    path: string
    video: string
    title: string | null
    language?: string
    default: boolean
    forced: boolean
    hearing_impaired: boolean
    src: string
  }
  scoreRows(t, 'subtitle_names', rowsOf<Row>('subtitle_names'), (row) => {
    const actual = parseSubtitleName(row.path, row.video.replace(/\.mkv$/, ''))
    const language = row.language === undefined ? null : Intl.getCanonicalLocales(row.language)[0]
    const isRight =
      actual?.title === row.title &&
      actual.language === language &&
      actual.isDefault === row.default &&
      actual.isForced === row.forced &&
      actual.isHearingImpaired === row.hearing_impaired
    return isRight ? undefined : `${row.path} -> ${JSON.stringify(actual)}`
  })
  t.match(parseSubtitleName('Film (2001).pt-BR.sdh.ASS', 'Film (2001)'), {
    language: 'pt-BR',
    isHearingImpaired: true,
    format: 'ass',
  })
  t.match(parseSubtitleName('film.French.vtt', 'Film'), { language: 'fr', title: null }, 'a language by its name')
  t.equal(parseSubtitleName('Film 2.en.srt', 'Film')?.title, '2', 'text after a space is a title')
  t.equal(parseSubtitleName('Films.en.srt', 'Film'), undefined, 'another video')
  t.equal(parseSubtitleName('Film.en.txt', 'Film'), undefined, 'no subtitle')
  t.end()
})

void t.test('ignore files hide what their patterns name', (t) => {
  type Row = { rules: string[]; path: string; is_dir: boolean; ignored: boolean; src: string }
  scoreRows(t, 'dotignore_rules', rowsOf<Row>('dotignore_rules'), ({ rules, path, is_dir: isFolder, ignored }) => {
    const actual = parseIgnoreRules(rules.join('\n')).ignores(isFolder ? `${path}/` : path)
    return actual === ignored ? undefined : `${rules.join(' ')}: ${path} -> ${actual}`
  })
  for (const text of ['', '\n \n', '# a remark', '*a*a*a*a*a*']) {
    t.ok(parseIgnoreRules(text).ignores('film.mkv'), `${JSON.stringify(text)} ignores everything`)
  }
  const rules = parseIgnoreRules('*.txt\r\n/extras/\n')
  t.notOk(rules.ignores('film.mkv'))
  t.ok(rules.ignores('a/b.TXT'))
  t.ok(rules.ignores('extras/film.mkv'))
  t.notOk(rules.ignores('a/extras/film.mkv'))
  t.notOk(rules.ignores('../a.txt'), 'outside')
  t.notOk(rules.ignores(`${'a'.repeat(300)}.txt`), 'no file system has such a name')
  t.end()
})

const PHOTOS: [name: string, date: string | undefined][] = [
  ['IMG_20230405_101112.jpg', '2023-04-05T10:11:12'],
  ['PXL_20230405_081112345.jpg', '2023-04-05T08:11:12'],
  ['20230405_101112(0).jpg', '2023-04-05T10:11:12'],
  ['Screenshot_2023-04-05-10-11-12-123_com.app.png', '2023-04-05T10:11:12'],
  ['Screenshot 2023-04-05 at 10.11.12.png', '2023-04-05T10:11:12'],
  ['WhatsApp Image 2023-04-05 at 10.11.12.jpeg', '2023-04-05T10:11:12'],
  ['IMG-20230405-WA0001.jpg', '2023-04-05'],
  ['signal-2023-04-05-101112.jpg', '2023-04-05T10:11:12'],
  ['2023-04-05 10.11.12.jpg', '2023-04-05T10:11:12'],
  ['20230405101112.jpg', '2023-04-05T10:11:12'],
  ['VID_20230405_101112.mp4', '2023-04-05T10:11:12'],
  ['2023-04-05 Holiday 12.jpg', '2023-04-05'],
  ['IMG_20230405_991112.jpg', '2023-04-05'],
  ['IMG_20230230_101112.jpg', undefined],
  ['IMG_20231305.jpg', undefined],
  ['DSC_0123.jpg', undefined],
  ['IMG_1234.HEIC', undefined],
  ['1680682272000.jpg', undefined],
  ['', undefined],
]

void t.test('a photo has the local time that its name gives', (t) => {
  for (const [name, date] of PHOTOS) t.equal(parsePhotoDate(name), date, name)
  t.end()
})
