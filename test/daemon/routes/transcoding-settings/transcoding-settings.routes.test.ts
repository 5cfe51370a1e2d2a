import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'

const PATH = '/api/v1/admin/transcoding'

void t.test('what streams are encoded with, for administrators', async (t) => {
  const app = await startApp(t)
  const { token } = await app.registerAdmin()
  const { token: other } = await app.registerUser()
  const get = (path: string) => app.ask('GET', `${PATH}${path}`, { token })
  const put = (path: string, body: unknown) => app.ask('PUT', `${PATH}${path}`, { token, body })

  await t.test('other users may not see or change it', async (t) => {
    for (const path of ['/accelerators', '/tone-mapping']) {
      for (const method of ['GET', 'PUT']) {
        const body = method === 'PUT' ? { body: { name: 'software', tone_map_mode: 'none' } } : {}
        t.equal((await app.ask(method, `${PATH}${path}`, body)).status, 401)
        t.match(await app.ask(method, `${PATH}${path}`, { ...body, token: other }), {
          status: 403,
          json: { code: 'auth.not_admin' },
        })
      }
    }
  })

  await t.test('the accelerators are those that are used; others are refused by name', async (t) => {
    const { status, json } = await get('/accelerators')
    t.equal(status, 200)
    t.match(json, {
      success: true,
      data: {
        accelerators: [{ name: 'software', encoders: ['libx264'], isHardware: false }],
        preferredAccelerator: 'software',
        preferred_accelerator: 'software',
        ffmpegVersion: /^\S+$/,
      },
    })
    t.equal(pick(json, 'data', 'ffmpegVersion'), pick(json, 'data', 'ffmpeg_version'))
    t.match(await put('/accelerators', { name: 'software' }), { status: 200, json: { success: true } })
    t.match(await put('/accelerators', { name: 'cuda' }), {
      status: 400,
      json: { code: 'accelerator_unknown', error: 'cuda is not available: this server encodes in software' },
    })
    t.match(await put('/accelerators', {}), { status: 400, json: { field: 'name' } })
  })

  await t.test('tone mapping is read and changed under the names of both clients', async (t) => {
    const mapping = (mode: string) => ({ tone_map_mode: mode, tone_mapping_mode: mode, prefer_hdr_output: false })
    t.strictSame((await get('/tone-mapping')).json, { success: true, data: mapping('zscale') })
    const body = { prefer_hdr_output: false, tone_map_mode: 'none' }
    t.match(await put('/tone-mapping', body), { status: 200, json: { success: true, data: mapping('none') } })
    t.strictSame((await get('/tone-mapping')).json, { success: true, data: mapping('none') })
    const { json } = await app.ask('GET', '/api/v1/admin/settings', { token })
    t.match(json, { data: { settings: { 'hls.tone_mapping': 'none' }, overridden: ['hls.tone_mapping'] } })
    t.match(await put('/tone-mapping', { tone_mapping_mode: 'zscale' }), { json: { data: mapping('zscale') } })
    t.match(await put('/tone-mapping', {}), { status: 200, json: { data: mapping('zscale') } })
  })

  await t.test('what the server cannot do is refused with the reason', async (t) => {
    for (const [body, code, error] of [
      [{ tone_map_mode: 'libplacebo' }, 'tone_mapping_unavailable', 'libplacebo is not available: use zscale or none'],
      [{ tone_map_mode: 'x,movie=/etc/passwd' }, 'tone_mapping_unavailable', /is not available/],
      [{ tone_map_mode: 'none', prefer_hdr_output: true }, 'hdr_output_unavailable', /standard dynamic range/],
      [{ prefer_hdr_output: 1 }, 'invalid_request', /prefer_hdr_output/],
    ] as const) {
      t.match(await put('/tone-mapping', body), { status: 400, json: { code, error } })
    }
    t.match((await get('/tone-mapping')).json, { data: { tone_map_mode: 'zscale' } })
  })
})
