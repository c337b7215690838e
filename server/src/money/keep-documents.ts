// Renders the documents of approved statements and keeps their bytes.
import { createHash } from 'node:crypto'
import { LANGUAGES } from '@tributary/contract/language'
import { sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { AppError } from '../lib/app-error.ts'
import { type DocumentConfig, readDocument } from './read-document.ts'
import { type PdfTask, renderPdfs } from './render-pdf.ts'

export async function keepDocuments(db: Db, statements: readonly number[], config: DocumentConfig): Promise<void> {
  const tasks: (PdfTask & { id: number })[] = []
  for (const id of statements)
    for (const language of LANGUAGES) {
      const statement = await readDocument(db, id, language, config)
      if (statement === undefined) throw new AppError('not_found')
      tasks.push({ id, language, statement })
    }
  for (const [index, bytes] of (await renderPdfs(tasks)).entries()) {
    const { id, language } = tasks[index] ?? {}
    const sha256 = createHash('sha256').update(bytes).digest()
    await sql`insert into statement_pdf (statement_id, language, bytes, sha256) values (${id}, ${language}, ${bytes}, ${sha256})`.execute(
      db,
    )
  }
}
