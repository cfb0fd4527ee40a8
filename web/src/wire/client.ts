// The page's only way to the server's API. Every URL is relative to the document, so that the page works below a path
// prefix, behind a proxy and in a notebook. A call either gives the answer, or rejects with an ApiError whose message can
// be shown to people as it is – except when its AbortSignal fires: then the abort itself comes through.
import type {
  DamageReport,
  DeleteAnswer,
  DeleteRuns,
  EditsAnswer,
  EditsRequest,
  Environment,
  ExportRequest,
  GroupRequest,
  LastValuesAnswer,
  RemoveView,
  RestoreAnswer,
  RestoreRuns,
  RunDetails,
  RunFields,
  RunTable,
  SavedView,
  SaveView,
  ScalarQuery,
  ScalarRequest,
  Smoothing,
  StatisticsAnswer,
  StatisticsRequest,
  TagTable,
  ViewInfo,
  Workspace,
} from './generated';
import { decodeFrame, FrameError, type Frame } from './frame';
import type { GroupFrames } from './group-frame';

export type * from './generated';
export type SmoothingKind = Smoothing['kind'];
export type XAxis = NonNullable<ScalarQuery['x']>;

/** An answer that is not a success. Status 0: there was no answer at all. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }

  /** The server wants a token that this browser does not have. */
  get isTokenMissing(): boolean {
    return this.status === 401;
  }

  /** Nobody answered, or something between us and the server did: worth another try later. */
  get isConnectionLost(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

let waiting = 0;

/** Some answer is waited for, by whatever client. */
export function isWaiting(): boolean {
  return waiting > 0;
}

/** What `GET runs` may be asked to leave out: everything the asker had at this revision of this server. */
export interface Since {
  readonly revision: number;
  readonly serverId: string;
}

export class Client {
  readonly #base: string;
  /** Of the last table of runs: where all numbers of runs on this page are from. */
  #serverId: string | null = null;

  /** `base` is where the API lives, relative to the document or absolute. */
  constructor(base = 'api/v1/') {
    this.#base = base;
  }

  environment(signal?: AbortSignal): Promise<Environment> {
    return this.#json('environment', signal);
  }

  async runs(since?: Since, signal?: AbortSignal): Promise<RunTable> {
    const query = since && new URLSearchParams({ since: String(since.revision), server_id: since.serverId });
    const table = await this.#json<RunTable>(query ? `runs?${query}` : 'runs', signal);
    this.#serverId = table.server_id;
    return table;
  }

  /** Refused (409) when the server was started anew since the runs were asked for: the number may mean another run. */
  run(id: number, signal?: AbortSignal): Promise<RunDetails> {
    const query = this.#serverId === null ? '' : `?${new URLSearchParams({ server_id: this.#serverId })}`;
    return this.#json(`runs/${id}${query}`, signal);
  }

  tags(signal?: AbortSignal): Promise<TagTable> {
    return this.#json('tags', signal);
  }

  async scalars(request: ScalarRequest, signal?: AbortSignal): Promise<Frame> {
    return decoded(await this.#post('scalars', request, signal), decodeFrame);
  }

  /** Lines of groups of runs. Reading them is fetched with the first question. */
  async groups(request: GroupRequest, signal?: AbortSignal): Promise<GroupFrames> {
    const [answer, { decodeGroupFrame }] = await Promise.all([
      this.#post('scalars/groups', request, signal),
      import('./group-frame'),
    ]);
    return decoded(answer, decodeGroupFrame);
  }

  async lastValues(tags: readonly string[], signal?: AbortSignal): Promise<LastValuesAnswer> {
    const answer = await this.#post('scalars/last', { tags }, signal);
    return (await answer.json()) as LastValuesAnswer;
  }

  /** A file with every point, made by the server. Refused as in `run`. */
  async exportScalars(request: ExportRequest, signal?: AbortSignal): Promise<Blob> {
    const answer = await this.#post(
      'scalars/export',
      { ...(this.#serverId === null ? {} : { server_id: this.#serverId }), ...request },
      signal,
    );
    return answer.blob();
  }

  async statistics(request: StatisticsRequest, signal?: AbortSignal): Promise<StatisticsAnswer> {
    return (await (await this.#post('scalars/statistics', request, signal)).json()) as StatisticsAnswer;
  }

  /** Hyper-parameters of all runs. */
  fields(signal?: AbortSignal): Promise<RunFields> {
    return this.#json('runs/fields', signal);
  }

  workspace(signal?: AbortSignal): Promise<Workspace> {
    return this.#json('workspace', signal);
  }

  async edit(request: EditsRequest, signal?: AbortSignal): Promise<EditsAnswer> {
    return (await (await this.#post('workspace/edits', request, signal)).json()) as EditsAnswer;
  }

  savedView(name: string, signal?: AbortSignal): Promise<SavedView> {
    return this.#json(`workspace/view?${new URLSearchParams({ name })}`, signal);
  }

  /** Refused (409) when somebody else saved the view since. */
  async saveView(request: SaveView, signal?: AbortSignal): Promise<ViewInfo> {
    return (await (await this.#post('workspace/view', request, signal)).json()) as ViewInfo;
  }

  async removeView(request: RemoveView, signal?: AbortSignal): Promise<void> {
    await this.#post('workspace/view/remove', request, signal);
  }

  async deleteRuns(request: DeleteRuns, signal?: AbortSignal): Promise<DeleteAnswer> {
    return (await (await this.#post('workspace/delete', request, signal)).json()) as DeleteAnswer;
  }

  async restoreRuns(request: RestoreRuns, signal?: AbortSignal): Promise<RestoreAnswer> {
    return (await (await this.#post('workspace/restore', request, signal)).json()) as RestoreAnswer;
  }

  damage(signal?: AbortSignal): Promise<DamageReport> {
    return this.#json('damage', signal);
  }

  /** Resolves when the server has looked at all files. */
  async reload(signal?: AbortSignal): Promise<void> {
    await this.#post('reload', undefined, signal);
  }

  /** What a path answers, for code that is loaded later than this. */
  get(path: string, signal?: AbortSignal): Promise<Response> {
    return this.#fetch(path, {}, signal);
  }

  post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    return this.#post(path, body, signal);
  }

  /** Where the live events come from. */
  get eventsUrl(): string {
    return this.url('events');
  }

  url(path: string): string {
    return new URL(this.#base + path, document.baseURI).href;
  }

  async #json<T>(path: string, signal: AbortSignal | undefined): Promise<T> {
    const answer = await this.#fetch(path, { headers: { Accept: 'application/json' } }, signal);
    return (await answer.json()) as T;
  }

  #post(path: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
    const init: RequestInit = { method: 'POST' };
    if (body !== undefined) {
      init.headers = { 'Content-Type': 'application/json' };
      init.body = JSON.stringify(body);
    }
    return this.#fetch(path, init, signal);
  }

  async #fetch(path: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    let answer: Response;
    waiting++;
    try {
      answer = await fetch(this.url(path), {
        ...init,
        ...(signal ? { signal } : {}),
        credentials: 'same-origin',
      });
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new ApiError(0, 'The server does not answer. Is it still running?');
    } finally {
      waiting--;
    }
    if (!answer.ok) throw new ApiError(answer.status, await messageOf(answer));
    return answer;
  }
}

async function decoded<T>(answer: Response, decode: (buffer: ArrayBuffer) => T): Promise<T> {
  const buffer = await answer.arrayBuffer();
  try {
    return decode(buffer);
  } catch (error) {
    if (error instanceof FrameError) throw new ApiError(answer.status, error.message);
    throw error;
  }
}

/** What the server says went wrong; a sentence of our own when a proxy answered in its place. */
async function messageOf(answer: Response): Promise<string> {
  try {
    const body = (await answer.json()) as { error?: unknown } | null;
    if (typeof body?.error === 'string' && body.error !== '') return body.error;
  } catch {
    // Not JSON: not our server's words.
  }
  if (answer.status === 401)
    return 'The token is missing. Open the URL that the server printed when it started';
  return `The server answered with status ${answer.status}${answer.statusText ? ` (${answer.statusText})` : ''}`;
}
