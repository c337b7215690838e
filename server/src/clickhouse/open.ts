// Opens the embedded ClickHouse, or the server in CLICKHOUSE_URL if that is set.

import type { Config } from '../config.ts'
import type { Logger } from '../lib/log.ts'
import type { Clickhouse } from './client.ts'
import { openEmbeddedClickhouse } from './embedded.ts'
import { connectClickhouse } from './http.ts'

/** Opens the engine that the configuration names: the embedded one without `clickhouseUrl`. */
export function openClickhouse(
  config: Pick<Config, 'dataDir' | 'clickhouseUrl' | 'clickhouseCluster'>,
  log: Logger,
): Clickhouse {
  if (config.clickhouseUrl === undefined) return openEmbeddedClickhouse(config.dataDir, log)
  return connectClickhouse(config.clickhouseUrl, config.clickhouseCluster)
}
