// `npm run check:deploy`: checks the files of deploy/ with the tools that read them, promtool (Debian's package prometheus), systemd-analyze
// and nginx, which gets a certificate of its own.
// `npm test` needs neither: scripts/deploy.test.mjs checks what can be checked without them.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './root.mjs'

const DEPLOY = join(ROOT, 'deploy')
const folder = mkdtempSync(join(tmpdir(), 'tributary-deploy-'))
// A unit with `@` is checked as an instance.
cpSync(join(DEPLOY, 'tributary.service'), join(folder, 'tributary.service'))
cpSync(join(DEPLOY, 'tributary@.service'), join(folder, 'tributary@tracker.service'))

writeNginx()

/** @type {[program: string, args: string[], debianPackage: string][]} */
const CHECKS = [
  ['promtool', ['check', 'config', join(DEPLOY, 'prometheus.yml')], 'prometheus'],
  ['promtool', ['check', 'rules', join(DEPLOY, 'alerts.yml')], 'prometheus'],
  [
    'systemd-analyze',
    ['verify', join(folder, 'tributary.service'), join(folder, 'tributary@tracker.service')],
    'systemd',
  ],
  ['nginx', ['-t', '-q', '-e', 'stderr', '-c', join(folder, 'nginx.conf')], 'nginx-light'],
]

let failed = 0
try {
  const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana.json'), 'utf8'))
  if (!Array.isArray(panels) || panels.length === 0) throw new Error('it has no panels')
  console.log('ok     grafana.json')
} catch (error) {
  failed++
  console.log(`FAILED grafana.json\n${error instanceof Error ? error.message : String(error)}`)
}
for (const [program, args, debianPackage] of CHECKS) {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  const said = `${stdout ?? ''}${stderr ?? ''}`.trim()
  // systemd-analyze also tells what this machine lacks: the program and the user of the unit.
  const problems = said
    .split('\n')
    .filter((line) => line.includes('tributary') && !/not executable|No such file/.test(line))
  const isGood = error === undefined && (status === 0 || (program === 'systemd-analyze' && problems.length === 0))
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${program} ${args.slice(0, 2).join(' ')}`)
  if (isGood) continue
  failed++
  console.log(error === undefined ? said : `${program} is missing: apt-get install ${debianPackage}`)
}
rmSync(folder, { recursive: true })
process.exit(failed === 0 ? 0 : 1)

/** The proxy's file within a whole configuration, with a certificate that exists. */
function writeNginx() {
  const [key, certificate] = ['tributary.key', 'tributary.pem'].map((name) => join(folder, name))
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=network.example']
  spawnSync('openssl', [...request, '-keyout', String(key), '-out', String(certificate)])
  // Only root may listen on 443.
  const own = readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8')
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replace(' 443 ', ' 8443 ')
  writeFileSync(join(folder, 'nginx.conf'), `pid ${folder}/nginx.pid;\nevents {}\nhttp {\n${own}\n}\n`)
}
