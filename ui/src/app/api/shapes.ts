// Made by ui/shapes.py from the server's description of itself; not to be edited.

export interface Accepted {
  id: string;
  job: string;
}

export interface Act {
  id: string;
  on: string;
  user_id: string | null;
  user_name: string | null;
  act: string;
  target: string | null;
  address: string | null;
  detail: Record<string, unknown>;
}

export interface AddAccepted {
  job: string;
  collection: string;
  files: SentFile[];
  table: string | null;
}

export interface AddComment {
  span: [number, number];
  comment: string;
}

export interface Added {
  user: User;
  password?: string | null;
}

export interface AffectedDocument {
  id: number;
  name: string | null;
}

export interface AssignmentChange {
  name?: string | null;
  instructions?: string | null;
  opens_on?: string | null;
  due_on?: string | null;
  closes_on?: string | null;
  rules?: RulesInput | null;
  request?: CheckingRequest | null;
  is_blind?: boolean | null;
  keep_days?: number | null;
}

export interface AssignmentCounts {
  students: number;
  files: number;
  late: number;
  waiting: number;
  unread: number;
}

export interface AssignmentDetail {
  id: string;
  course: string;
  course_name: string;
  name: string;
  made_on: string;
  opens_on: string | null;
  due_on: string | null;
  closes_on: string | null;
  is_blind: boolean;
  unveiled_on: string | null;
  standing: "teacher" | "student" | "administrator";
  may_hand_in: boolean;
  batch: string | null;
  state: "queued" | "running" | "done" | "failed" | "cancelled" | null;
  counts: AssignmentCounts | null;
  notice_share: number;
  high_share: number;
  levels: BatchCountsShape | null;
  own_attempts: number | null;
  instructions: string;
  rules: RulesInput;
  keep_days: number | null;
  files: AssignmentFileShape[];
  request: Record<string, unknown> | null;
  self_checks: SelfCheckQuota | null;
  report_from: string | null;
  job: string | null;
  progress: Progress | null;
  summary: BatchSummary | null;
}

export interface AssignmentFileShape {
  id: string;
  name: string;
  size: number;
  sha256: string;
}

export interface AssignmentInput {
  name: string;
  instructions?: string;
  opens_on?: string | null;
  due_on?: string | null;
  closes_on?: string | null;
  rules?: RulesInput;
  request?: CheckingRequest;
  is_blind?: boolean;
  keep_days?: number | null;
}

export interface AssignmentShape {
  id: string;
  course: string;
  course_name: string;
  name: string;
  made_on: string;
  opens_on: string | null;
  due_on: string | null;
  closes_on: string | null;
  is_blind: boolean;
  unveiled_on: string | null;
  standing: "teacher" | "student" | "administrator";
  may_hand_in: boolean;
  batch: string | null;
  state: "queued" | "running" | "done" | "failed" | "cancelled" | null;
  counts: AssignmentCounts | null;
  notice_share: number;
  high_share: number;
  levels: BatchCountsShape | null;
  own_attempts: number | null;
}

export interface AttentionShape {
  tricks: number;
  high: number;
  unconfirmed: number;
  failed: number;
}

export interface BackupShape {
  name: string;
  made_on: string;
  expires_on: string;
}

export interface BatchCountsShape {
  notice: number;
  high: number;
  tricks: number;
}

export interface BatchDetail {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  id: string;
  name: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  made_on: string;
  owner: string;
  owner_name: string;
  is_mine: boolean;
  is_shared: boolean;
  closed_on: string | null;
  assignment: string | null;
  counts: BatchCountsShape | null;
  job: string;
  progress: Progress;
  summary: BatchSummary | null;
  request: Record<string, unknown>;
}

export interface BatchRequest {
  filters?: FiltersInput;
  collections?: string[] | null;
  not_mine?: boolean;
  not_by?: string | string[] | null;
  options?: OptionsInput;
  keep?: boolean;
  collection?: string;
  metadata?: Record<string, unknown>;
  web?: WebInput | null;
  name?: string;
  templates?: string[];
}

export interface BatchShape {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  id: string;
  name: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  made_on: string;
  owner: string;
  owner_name: string;
  is_mine: boolean;
  is_shared: boolean;
  closed_on: string | null;
  assignment: string | null;
  counts: BatchCountsShape | null;
  job: string;
  progress: Progress;
  summary: BatchSummary | null;
}

export interface BatchSummary {
  documents: number;
  unread: UnreadResult[];
  pairs: number;
  clusters: number;
  similar: number;
  most_similar: MostSimilar | null;
  done_on: string;
}

export interface BegunSecondFactor {
  secret: string;
  address: string;
  qr_code: string;
}

export interface BodyHearLogoutApiV1LoginIdLogoutPost {
  logout_token: string;
}

export interface BulkShape {
  checks: number;
  skipped: number;
}

export interface CandidateShape {
  id: string;
  name: string;
  shown_name: string;
}

export interface CertificateShape {
  id: string;
  code: string;
  number: number;
  issued_on: string;
  issued_by: string;
  language: string;
  author: string;
  title: string;
  supervisor: string;
  institution: string;
  revoked_on: string | null;
  reason: string;
  may_revoke: boolean;
}

export interface Certificates {
  items: CertificateShape[];
  proposed: ProposedCertificate;
  may_issue: boolean;
}

export interface CertifiedShares {
  original: number;
  similar: number;
  quoted: number;
  excluded: number;
}

export interface ChangeCount {
  documents: number;
}

export interface ChangeMany {
  ids?: number[] | null;
  filters?: DocumentFilters | null;
  search?: string;
  without?: number[];
  expected?: number | null;
  metadata: MetadataInput;
}

export interface CheckDetail {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  id: string;
  name: string;
  label: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  made_on: string;
  owner: string;
  owner_name: string;
  is_mine: boolean;
  is_shared: boolean;
  is_opened: boolean;
  batch: string | null;
  batch_name?: string | null;
  job: string | null;
  progress: Progress;
  summary: CheckSummary | null;
  request: Record<string, unknown>;
  exclusions: DecisionRow[];
  confirmations: ConfirmationRow[];
  commission: CommissionRow[];
  may_confirm: boolean;
  may_change: boolean;
  later_share: number | null;
  comments: CommentShape[];
  document_id: number | null;
  documents: Record<string, number>;
}

export interface CheckDocuments {
  documents: DocumentSelection;
  request?: BatchRequest;
}

export interface CheckFilters {
  whose?: "all" | "mine" | "shared";
  state?: "queued" | "running" | "done" | "failed" | "cancelled" | null;
  search?: string;
  in_batches?: boolean;
  tricks?: boolean;
  level?: "notice" | "high" | null;
  unopened?: boolean;
  unconfirmed?: boolean;
}

export interface CheckResult {
  type?: "check";
  schema?: number;
  name: string;
  language: string | null;
  length: number;
  pages: number;
  shares: Shares;
  shares_before: Shares | null;
  wordings: Wordings;
  count: ("word_for_word" | "reworded" | "translated")[];
  characters: number;
  literal: number;
  too_short: boolean;
  common_share: number;
  documents: number;
  sources: SourceResult[];
  tables: TableResult[];
  exclusions: ExclusionResult[];
  taken_out: string[];
  decisions: DecisionRow[];
  confirmations: ConfirmationRow[];
  notes: NoteResult[];
  unread: UnreadResult[];
  skipped: string[];
  left_out: UncomparedResult[];
  partners: Partner[];
  asked: QueryResult[];
  min_percentage: number;
  level: number;
  settings: Record<string, unknown>;
  recipe: string;
  version: string;
  counting: Record<string, unknown>;
  concepts?: string;
  comments?: CommentRow[];
}

export interface CheckSelection {
  ids?: string[] | null;
  filters?: CheckFilters | null;
  without?: string[];
  expected?: number | null;
}

export interface CheckShape {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  id: string;
  name: string;
  label: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  made_on: string;
  owner: string;
  owner_name: string;
  is_mine: boolean;
  is_shared: boolean;
  is_opened: boolean;
  batch: string | null;
  batch_name?: string | null;
  job: string | null;
  progress: Progress;
  summary: CheckSummary | null;
}

export interface CheckSummary {
  shares: Shares;
  documents: number;
  sources: number;
  passages: number;
  top: TopSource[];
  language: string | null;
  words?: number | null;
  pages: number;
  disguises: string[];
  in_part: boolean;
  done_on: string;
  exclusions?: number;
  wordings?: Wordings | null;
  count?: ("word_for_word" | "reworded" | "translated")[];
}

export interface CheckedAgain {
  jobs: string[];
}

export interface CheckingRequest {
  filters?: FiltersInput;
  collections?: string[] | null;
  not_mine?: boolean;
  not_by?: string | string[] | null;
  options?: OptionsInput;
  keep?: boolean;
  collection?: string;
  metadata?: Record<string, unknown>;
  web?: WebInput | null;
}

export interface ChooseMail {
  choice: MailChoice;
}

export interface Code {
  code: string;
}

export interface CollectionChange {
  name?: string | null;
  about?: string | null;
  is_shared?: boolean | null;
  is_open_to_students?: boolean | null;
  keep_days?: number | null;
}

export interface CollectionInput {
  name: string;
  about?: string;
  is_shared?: boolean;
}

export interface CollectionRemoved {
  documents: number;
}

export interface CollectionShape {
  id: string;
  name: string | null;
  about: string | null;
  owner: string | null;
  is_shared: boolean;
  is_open_to_students: boolean;
  is_mine: boolean;
  may_add: boolean;
  may_change: boolean;
  may_read: boolean;
  documents: number;
  made_on: string | null;
  keep_days: number | null;
}

export interface CollectionWhole {
  id: string;
  name: string | null;
  about: string | null;
  owner: string | null;
  is_shared: boolean;
  is_open_to_students: boolean;
  is_mine: boolean;
  may_add: boolean;
  may_change: boolean;
  may_read: boolean;
  documents: number;
  made_on: string | null;
  keep_days: number | null;
  words: number;
  bytes: number;
}

export interface CommentRow {
  id: string;
  span: [number, number];
  by: string;
  on: string;
  comment: string;
}

export interface CommentShape {
  id: string;
  span: [number, number];
  by: string;
  on: string;
  comment: string;
  is_mine: boolean;
}

export interface CommissionRow {
  id: string;
  by: string;
  on: string;
  decision: "no_breach" | "revise" | "inquire" | "breach";
  comment: string;
}

export interface Confirm {
  comment?: string;
}

export interface ConfirmationRow {
  by: string;
  on: string;
  comment: string;
  id: string;
}

export interface ConsentTextInput {
  texts: Record<string, string>;
}

export interface ConsentTextShape {
  id: string;
  texts: Record<string, string>;
  made_on: string;
  submissions: number;
}

export interface CopyShape {
  id: number;
  name: string;
  owner: string | null;
  collection: string;
}

export interface CourseChange {
  name?: string | null;
  code?: string | null;
  term?: string | null;
  is_closed?: boolean | null;
}

export interface CourseInput {
  name: string;
  code?: string;
  term?: string;
}

export interface CourseShape {
  id: string;
  name: string;
  code: string;
  term: string;
  made_on: string;
  closed_on: string | null;
  standing: "teacher" | "student" | "administrator";
  teachers: string[];
  students: number | null;
  assignments: number;
}

export interface CourseStatisticsShape {
  course: string;
  code: string;
  term: string;
  assignments: number;
  students: number | null;
  submissions: number | null;
  late: number | null;
  levels: Record<string, number | null>;
}

export interface CurrentConsentText {
  id: string;
  texts: Record<string, string>;
  made_on: string;
}

export interface DecisionRow {
  source: string | null;
  span: [number, number] | null;
  by: string;
  on: string;
  reason: string;
  id: string;
}

export interface DeletionShape {
  kind: "collection" | "assignment";
  id: string;
  name: string | null;
  keep_days: number;
  first_on: string;
  items: number;
  announced_on: string | null;
  begins_on: string;
}

export interface DepartureShape {
  address: string;
}

export interface Details {
  problems: ("the database does not answer" | "no worker lives" | "the queue stands" | "the store of originals does not answer")[];
  version: string;
  database: string;
  library_version: string;
  documents: number;
  stale_documents: number;
  database_bytes: number;
  index_bytes: number;
  needs_rebuild: boolean;
  workers: number;
  busy_workers: number;
  killed_workers: Record<string, number>;
  jobs: Jobs;
  disks: Disk[];
  sandbox: SandboxState;
  mail: MailState;
}

export interface Disk {
  holds: ("library" | "cache" | "temporary")[];
  folders: string[];
  free_bytes: number;
  total_bytes: number;
  is_low: boolean;
}

export interface DocumentFilters {
  collection?: string[] | null;
  language?: string[] | null;
  type?: string[] | null;
  organisation?: string[] | null;
  author?: string[] | null;
  owner?: string[] | null;
  advisor?: string[] | null;
  year_from?: number | null;
  year_to?: number | null;
  tag?: string[] | null;
}

export interface DocumentSelection {
  ids?: number[] | null;
  filters?: DocumentFilters | null;
  search?: string;
  without?: number[];
  expected?: number | null;
}

export interface DocumentShape {
  id: number;
  name: string;
  collection: string;
  owner: string | null;
  added_on: string;
  words: number;
  chars: number;
  language: string | null;
  type: string | null;
  organisation: string | null;
  author: string | null;
  advisor: string | null;
  year: number | null;
  month: number | null;
  tags: string[];
  copy_of: number | null;
  handed_in: number;
  may_change: boolean;
}

export interface DocumentWhole {
  id: number;
  name: string;
  collection: string;
  owner: string | null;
  added_on: string;
  words: number;
  chars: number;
  language: string | null;
  type: string | null;
  organisation: string | null;
  author: string | null;
  advisor: string | null;
  year: number | null;
  month: number | null;
  tags: string[];
  copy_of: number | null;
  handed_in: number;
  may_change: boolean;
  pages: number;
  tables: number;
  pictures: number;
  left_out: number;
  notes: NoteShape[];
  tricks: string[];
  has_original: boolean;
  original_bytes: number | null;
  sha256: string | null;
  copies: CopyShape[];
  references: ReferenceShape[];
  may_remove: boolean;
}

export interface DuplicateClusterShape {
  documents: number;
  members: DuplicateDocument[];
  weakest: number;
}

export interface DuplicateDocument {
  id: number;
  name: string;
  collection: string;
  owner: string | null;
  author: string | null;
  added_on: string;
  words: number;
}

export interface DuplicatePairShape {
  a: DuplicateDocument;
  b: DuplicateDocument;
  similarity: number;
  shared: number;
  fingerprints_a: number;
  fingerprints_b: number;
  same_text: boolean;
}

export interface DuplicatesRequest {
  collection?: string[] | null;
  language?: string[] | null;
  type?: string[] | null;
  organisation?: string[] | null;
  author?: string[] | null;
  owner?: string[] | null;
  advisor?: string[] | null;
  year_from?: number | null;
  year_to?: number | null;
  tag?: string[] | null;
  threshold?: number;
  measure?: "jaccard" | "containment";
}

export interface DuplicatesResult {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  job: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  made_on: string;
  request: DuplicatesRequest;
  documents: number | null;
  without_fingerprints: number | null;
  pairs: number | null;
  clusters: number | null;
  awaits_rebuild: boolean | null;
}

export interface ErasurePreview {
  documents: AffectedDocument[];
  left: AffectedDocument[];
  copies: AffectedDocument[];
  counts: Record<string, number>;
}

export interface ErasureRequest {
  documents?: number[];
  sha256s?: string[];
  person?: string | null;
  user?: string | null;
  copies?: boolean;
  again?: boolean;
}

export interface ErasureShape {
  id: string;
  kind: "documents" | "file" | "person" | "user" | "again";
  made_on: string;
  by: string | null;
  state: "running" | "done";
  ended_on: string | null;
  documents: number[];
  sha256s: string[];
  counts: Record<string, number>;
  unreached: string[];
  stays: string[];
  backups: BackupShape[];
}

export interface Exclude {
  source?: string | null;
  span?: [number, number] | null;
  reason: string;
}

export interface ExclusionResult {
  span: [number, number];
  pages: [number, number] | null;
  reason: "title page" | "contents" | "bibliography" | "quotation" | "template" | "common" | "listing" | "reader";
  detail: string;
  holders: number;
}

export interface ExclusionsInput {
  quotations?: boolean;
  bibliography?: boolean;
  contents?: boolean;
  title_page?: boolean;
  common?: boolean;
  listings?: boolean;
}

export interface Facet {
  value: string | number | null;
  documents: number;
}

export interface Facets {
  type: Facet[];
  language: Facet[];
  organisation: Facet[];
  year: Facet[];
  tag: Facet[];
}

export interface FileReceipt {
  id: string;
  name: string;
  size: number;
  sha256: string;
}

export interface FiltersInput {
  language?: string | string[] | null;
  type?: string | string[] | null;
  organisation?: string | string[] | null;
  year_from?: number | null;
  year_to?: number | null;
  tag?: string | string[] | null;
}

export interface Growth {
  months: MonthShape[];
}

export interface HandInReceipt {
  job: string;
  handed_in_on: string;
  is_late: boolean;
  is_new: boolean;
  attempt: number | null;
  files: FileReceipt[];
}

export interface Health {
  status?: "ok";
}

export interface HistoryItem {
  course: string;
  course_name: string;
  assignment: string;
  assignment_name: string;
  submission: SubmissionShape;
}

export interface Holdings {
  documents: number;
  collections: number;
  checks: number;
  batches: number;
  api_keys: number;
  jobs: number;
}

export interface Institution {
  name: string;
}

export interface Interval {
  low: number;
  high: number;
  level: number;
  inside: string[];
}

export interface IssueCertificate {
  language: "en" | "ru" | "kk";
  institution?: string | null;
  author?: string | null;
  title?: string | null;
  supervisor?: string | null;
}

export interface JobShape {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  id: string;
  kind: "add" | "check" | "batch" | "rebuild" | "tidy" | "erase" | "duplicates";
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  person: string | null;
  made_on: string;
  started_on: string | null;
  ended_on: string | null;
  attempts: number;
  stage: string | null;
  done: number;
  total: number;
  is_unwanted: boolean;
  may_retry: boolean;
  check: string | null;
  batch: string | null;
  erasure: string | null;
  similar: boolean;
  subject: string | null;
  may_open: boolean;
  is_dismissed: boolean;
  outcome: Record<string, unknown> | null;
}

export interface Jobs {
  waiting: number;
  running: number;
  failed_today: number;
  oldest_waiting_seconds: number;
}

export interface Key {
  id: string;
  user_id: string;
  user_name: string;
  name: string;
  scopes: ("documents:read" | "documents:write" | "checks:read" | "checks:write" | "courses:read" | "courses:write" | "submissions:read" | "submissions:write" | "metrics" | "administer")[];
  made_on: string;
  ends_on: string | null;
  used_on: string | null;
  ended_on: string | null;
}

export interface LeftOutShape {
  start: number;
  end: number;
  reason: string;
}

export interface Limits {
  upload_bytes: number;
  files: number;
  text_bytes: number;
}

export interface LinkShape {
  id: string;
  state: "open" | "ended" | "revoked";
  recipient: string;
  colleague: string | null;
  is_personal: boolean;
  is_commission: boolean;
  made_on: string;
  ends_on: string;
  revoked_on: string | null;
  email: string | null;
  openings: number;
  opened_on: string | null;
}

export interface Links {
  sends_mail: boolean;
  items: LinkShape[];
  usual_days: number;
  most_days: number;
}

export interface LogIn {
  name: string;
  password: string;
  code?: string | null;
  cookie?: boolean;
}

export interface LogInBegun {
  go_to?: string;
}

export interface LogInButton {
  id: string;
  name: string;
}

export interface LogInDelayShape {
  wrong_passwords: number;
  seconds: number;
  until: string | null;
}

export interface LogInDone {
  purpose: "log in" | "authenticate" | "link";
  go_to: string;
  tokens: Tokens | null;
}

export interface LogInReturned {
  state: string;
  code?: string | null;
  iss?: string | null;
  error?: string | null;
}

export interface LogInWays {
  passwords: boolean;
  providers: LogInButton[];
}

export interface LogOutHeard {
  is_heard?: boolean;
}

export interface LoggedOut {
  address: string | null;
}

export interface LoginProviderChanges {
  name?: string | null;
  issuer?: string | null;
  client_id?: string | null;
  client_secret?: string | null;
  options?: ProviderOptions | null;
  is_active?: boolean | null;
  position?: number | null;
}

export interface LoginProviderShape {
  id: string;
  name: string;
  issuer: string;
  client_id: string;
  has_secret: boolean;
  options: ProviderOptions;
  is_active: boolean;
  position: number;
  people: number;
  return_address: string | null;
  log_out_address: string | null;
  back_channel_address: string | null;
}

export interface LoginProviders {
  items: LoginProviderShape[];
}

export interface MadeKey {
  key: Key;
  secret: string;
}

export interface MadeLink {
  link: LinkShape;
  token: string | null;
  address: string;
}

export interface MailChoice {
  finished?: "never" | "long" | "always";
  links?: boolean;
  decisions?: boolean;
  failed_jobs?: boolean;
}

export interface MailChoiceShape {
  is_possible: boolean;
  address: string | null;
  long_minutes: number;
  choice: MailChoice;
}

export interface MailShape {
  id: string;
  state: "waiting" | "sent" | "failed";
  kind: string;
  to: string;
  made_on: string;
  not_before: string;
  attempts: number;
  sent_on: string | null;
  failed_on: string | null;
  error: string | null;
}

export interface MailState {
  is_set: boolean;
  host: string;
  sender: string;
}

export interface MakeLink {
  colleague?: string | null;
  recipient?: string;
  ends_on?: string | null;
  is_commission?: boolean;
  send?: boolean;
  email?: string | null;
}

export interface Me {
  id: string;
  name: string;
  shown_name: string;
  role: "administrator" | "teacher" | "student";
  language: "en" | "ru" | "kk" | null;
  email: string | null;
  must_change: boolean;
  least_password_length: number;
  made_on: string;
  most_documents: number | null;
  most_bytes: number | null;
  most_checks_a_day: number | null;
  session: string | null;
  has_password: boolean;
  key: string | null;
  scopes: ("documents:read" | "documents:write" | "checks:read" | "checks:write" | "courses:read" | "courses:write" | "submissions:read" | "submissions:write" | "metrics" | "administer")[] | null;
  notices: NoticeShape[];
}

export interface MeasuresResult {
  jaccard: number;
  containment_a: number;
  containment_b: number;
  dice: number;
  signature: number;
  tfidf: number;
  words: number;
  agreement: number;
  interval: Interval;
  percentage: number;
  is_similar: boolean;
  matching_shingles: number;
  matching: "full duplicate" | "fuzzy duplicate" | "different";
}

export interface MemberChange {
  role: "teacher" | "student";
}

export interface MemberInput {
  user?: string | null;
  user_name?: string | null;
  role?: "teacher" | "student";
}

export interface MemberShape {
  id: string;
  name: string;
  shown_name: string;
  role: "teacher" | "student";
  made_on: string;
  submissions: number;
  may_teach: boolean;
}

export interface MembersInput {
  members: MemberInput[];
}

export interface MetadataInput {
  name?: string | null;
  language?: string | null;
  type?: string | null;
  organisation?: string | null;
  author?: string | null;
  advisor?: string | null;
  year?: number | null;
  month?: number | null;
  tags?: string[];
}

export interface MissingLayer {
  layer: string;
  reason: string;
}

export interface MonthShape {
  month: string;
  documents: number;
  total: number;
}

export interface MostSimilar {
  name: string;
  label?: string;
  similar: number;
}

export interface MyChanges {
  shown_name?: string | null;
  language?: "en" | "ru" | "kk" | null;
  email?: string | null;
}

export interface MyIdentity {
  id: string;
  provider_id: string;
  provider: string;
  made_on: string;
  used_on: string;
}

export interface MySession {
  id: string;
  made_on: string;
  used_on: string;
  ends_on: string;
  address: string | null;
  agent: string | null;
  provider: string | null;
  is_this: boolean;
}

export interface NewKey {
  name: string;
  scopes: ("documents:read" | "documents:write" | "checks:read" | "checks:write" | "courses:read" | "courses:write" | "submissions:read" | "submissions:write" | "metrics" | "administer")[];
  ends_on?: string | null;
}

export interface NewLoginProvider {
  name: string;
  issuer: string;
  client_id: string;
  client_secret?: string | null;
  options?: ProviderOptions;
  is_active?: boolean;
  position?: number;
}

export interface NewPassword {
  old: string;
  new: string;
}

export interface NewUser {
  name: string;
  shown_name?: string;
  role?: "administrator" | "teacher" | "student";
  password?: string | null;
  language?: "en" | "ru" | "kk" | null;
  email?: string | null;
  invite?: boolean;
  most_documents?: number | null;
  most_bytes?: number | null;
  most_checks_a_day?: number | null;
}

export interface NoteResult {
  name: string;
  kind: string;
  message: string;
  in_part: boolean;
  is_disguise: boolean;
  spans: [number, number][];
  type?: "note";
  code?: string;
  values?: Record<string, unknown>;
}

export interface NoteShape {
  kind: string;
  message: string;
  code: string;
  values: Record<string, unknown>;
  is_trick: boolean;
  is_partial: boolean;
  spans: SpanShape[];
}

export interface NoticeShape {
  id: string;
  on: string;
  by: string | null;
  act: string;
  target: string | null;
  changed: string[];
  is_new: boolean;
}

export interface OpeningShape {
  id: string;
  on: string;
  person: string | null;
  address: string | null;
}

export interface OptionsInput {
  min_words?: number;
  min_share?: number | null;
  min_percentage?: number;
  level?: "90" | "95" | "99";
  count?: ("word_for_word" | "reworded" | "translated")[];
  by_meaning?: boolean;
  exclusions?: ExclusionsInput;
}

export interface PageShape {
  number: number;
  start: number;
  end: number;
}

export interface PageAct {
  items: Act[];
  total: number;
}

export interface PageAssignmentShape {
  items: AssignmentShape[];
  total: number;
}

export interface PageBatchShape {
  items: BatchShape[];
  total: number;
}

export interface PageCheckShape {
  items: CheckShape[];
  total: number;
}

export interface PageCollectionShape {
  items: CollectionShape[];
  total: number;
}

export interface PageConsentTextShape {
  items: ConsentTextShape[];
  total: number;
}

export interface PageCourseShape {
  items: CourseShape[];
  total: number;
}

export interface PageDocumentShape {
  items: DocumentShape[];
  total: number;
}

export interface PageDuplicateClusterShape {
  items: DuplicateClusterShape[];
  total: number;
}

export interface PageDuplicatePairShape {
  items: DuplicatePairShape[];
  total: number;
}

export interface PageErasureShape {
  items: ErasureShape[];
  total: number;
}

export interface PageHistoryItem {
  items: HistoryItem[];
  total: number;
}

export interface PageJobShape {
  items: JobShape[];
  total: number;
}

export interface PageKey {
  items: Key[];
  total: number;
}

export interface PageMailShape {
  items: MailShape[];
  total: number;
}

export interface PageMemberShape {
  items: MemberShape[];
  total: number;
}

export interface PageMySession {
  items: MySession[];
  total: number;
}

export interface PageNoticeShape {
  items: NoticeShape[];
  total: number;
}

export interface PageOpeningShape {
  items: OpeningShape[];
  total: number;
}

export interface PageStudentShape {
  items: StudentShape[];
  total: number;
}

export interface PageSubmissionShape {
  items: SubmissionShape[];
  total: number;
}

export interface PageTypeShape {
  items: TypeShape[];
  total: number;
}

export interface PageUser {
  items: User[];
  total: number;
}

export interface Partner {
  library: string;
  name: string;
  share: number;
  shared: number;
  told?: Record<string, string>;
}

export interface PassageResult {
  a: [number, number];
  b: [number, number];
  pages_a: [number, number] | null;
  pages_b: [number, number] | null;
  kind: "verbatim" | "edited" | "rewritten" | "summarised" | "translated";
  score: number;
  literal: number;
  expected: number | null;
  languages?: [string, string] | null;
  by_meaning?: boolean;
  unchanged?: [number, number][];
}

export interface Password {
  password: string;
}

export interface PersonalCounts {
  counts: Record<string, number>;
}

export interface PreviewShape {
  language: string;
  added: string[];
  removed: string[];
  needs_rebuild: boolean;
  documents: number;
  sample: SampleDocument[];
}

export interface ProblemBody {
  kind: "bad request" | "not logged in" | "wrong name or password" | "second factor needed" | "locked out" | "password must be changed" | "authenticate again" | "not allowed" | "not found" | "no such method" | "conflict" | "too large" | "unsupported file" | "quota reached" | "too many requests" | "not ready" | "out of room" | "unavailable" | "internal error";
  message: string;
  code: string;
  values?: Record<string, unknown>;
  about?: string | null;
  details?: Record<string, unknown>;
}

export interface ProcessState {
  status?: "alive";
}

export interface Progress {
  stage: string | null;
  done: number;
  total: number;
}

export interface ProposedCertificate {
  institution: string;
  author: string;
  title: string;
  supervisor: string;
}

export interface ProviderChanges {
  is_on?: boolean | null;
  values?: Record<string, string | null>;
}

export interface ProviderFieldShape {
  name: string;
  is_secret: boolean;
  is_set: boolean;
  value: string | null;
}

export interface ProviderOptions {
  scopes?: string[];
  name_claim?: string;
  role_claim?: string;
  roles?: Record<string, string[]>;
  default_role?: "teacher" | "student" | null;
  adds_people?: boolean;
  links_by_address?: boolean;
  domains?: string[];
  vouches_for_addresses?: boolean;
  log_in_is_proof?: boolean;
}

export interface ProviderProbe {
  works: boolean;
  problem: string | null;
  code: string | null;
  values: Record<string, unknown>;
  algorithms: string[];
  keys: number;
  has_log_out: boolean;
  has_user_info: boolean;
}

export interface ProviderShape {
  name: string;
  title: string;
  host: string | null;
  is_on: boolean;
  is_set: boolean;
  by_environment: boolean;
  fields: ProviderFieldShape[];
  what: Sentence | null;
  problem: Sentence | null;
}

export interface Providers {
  items: ProviderShape[];
  test_query: string;
}

export interface PublicSettings {
  institution: string;
  most_upload_bytes: number;
  most_files: number;
  keep_originals: boolean;
  least_password_length: number;
  min_share: number;
}

export interface QueryResult {
  provider: string;
  query: string;
  sent_to: string;
  on: string;
  results: number;
  problem: string | null;
}

export interface Readiness {
  status?: "ready";
}

export interface ReadingReceipt {
  pages?: number | null;
  words?: number | null;
  characters?: number | null;
  notes?: Record<string, unknown>[];
  unread?: Record<string, unknown> | null;
}

export interface RebuildStarted {
  job: string;
}

export interface RebuildState {
  is_needed: boolean;
  stale: number;
  job: string | null;
}

export interface RecipeChange {
  unit?: "words" | "chars" | null;
  shingle?: number | null;
  stem?: boolean | null;
  drop_digits?: boolean | null;
  min_length?: number | null;
  max_length?: number | null;
}

export interface RecipeShape {
  unit: "words" | "chars";
  shingle: number;
  shortest_run: number;
  stem: boolean;
  drop_digits: boolean;
  min_length: number;
  max_length: number;
}

export interface RecipeState {
  recipe: RecipeShape;
  next: RecipeShape | null;
  documents: number;
  stale: number;
  job: string | null;
  units: UnitShape[];
}

export interface RecordDecision {
  decision: "no_breach" | "revise" | "inquire" | "breach";
  comment: string;
}

export interface RecoveryCodes {
  codes: string[];
}

export interface ReferenceShape {
  name: string;
  owner: string | null;
  author: string | null;
  added_on: string;
}

export interface Refresh {
  refresh_token?: string | null;
}

export interface RemoveRequest {
  ids?: number[] | null;
  filters?: DocumentFilters | null;
  search?: string;
  without?: number[];
  expected?: number | null;
}

export interface RemovedShape {
  documents: number;
  references: number;
}

export interface Reset {
  password?: string | null;
}

export interface ResetAsked {
  name: string;
  language?: "en" | "ru" | "kk" | null;
}

export interface ResetUsed {
  token: string;
  password: string;
}

export interface ResetsOffered {
  is_possible: boolean;
}

export interface RevokeCertificate {
  reason: string;
}

export interface RulesInput {
  student_report?: "never" | "after_deadline" | "always";
  self_checks?: boolean;
  self_checks_a_day?: number;
  most_attempts?: number | null;
  may_name_group?: boolean;
  notice_share?: number | null;
  high_share?: number | null;
}

export interface SampleDocument {
  id: number;
  name: string;
  words_before: number;
  words_after: number;
  become_stop_words: number;
}

export interface SandboxState {
  is_complete: boolean;
  layers: string[];
  missing: MissingLayer[];
}

export interface SecondFactor {
  is_on: boolean;
  since: string | null;
  recovery_codes: number;
}

export interface SelfCheckQuota {
  a_day: number;
  left_today: number;
  until: string | null;
}

export interface SelfCheckShape {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  id: string;
  assignment: string;
  name: string;
  size: number;
  sha256: string;
  made_on: string;
  ends_on: string;
  state: "waiting" | "checked" | "unread" | "failed" | "cancelled";
  receipt: ReadingReceipt | null;
  summary: CheckSummary | null;
}

export interface SelfChecksShape {
  items: SelfCheckShape[];
  a_day: number;
  left_today: number;
  until: string | null;
}

export interface SentFile {
  name: string;
  size: number;
}

export interface SentShape {
  provider: string;
  host: string;
  what: string;
}

export interface Sentence {
  sentence: string;
  code: string;
  values: Record<string, unknown>;
}

export interface Share {
  shared: boolean;
}

export interface ShareMany {
  ids?: string[] | null;
  filters?: CheckFilters | null;
  without?: string[];
  expected?: number | null;
  shared: boolean;
}

export interface SharedCheck {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  id: string;
  name: string;
  label: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  made_on: string;
  owner: string;
  owner_name: string;
  is_mine: boolean;
  is_shared: boolean;
  is_opened: boolean;
  batch: string | null;
  batch_name?: string | null;
  job: string | null;
  progress: Progress;
  summary: CheckSummary | null;
  private_sources: number;
}

export interface SharedComment {
  id: string;
  span: [number, number];
  by: string;
  on: string;
  comment: string;
  is_mine: boolean;
}

export interface SharedReport {
  kind: "check" | "batch";
  name: string;
  label: string;
  institution: string;
  shared_by: string;
  recipient: string;
  is_personal: boolean;
  is_commission: boolean;
  made_on: string;
  ends_on: string;
  comments: SharedComment[];
  decisions: CommissionRow[];
}

export interface Shares {
  original: number;
  similar: number;
  quoted: number;
  excluded: number;
}

export interface SimilarDocument {
  document: number;
  name: string;
  author: string | null;
  language: string | null;
  type: string | null;
  year: number | null;
  shared_fingerprints: number;
  measures: MeasuresResult;
}

export interface SimilarResult {
  job: string;
  similar: SimilarDocument[];
  total: number;
  documents: number | null;
  measured: number;
  damaged: number;
  beyond: number;
  common_share: number;
  min_percentage: number;
  level: number;
}

export interface SiteSettings {
  institution?: string;
  most_upload_bytes?: number;
  most_files?: number;
  most_documents?: number | null;
  most_bytes?: number | null;
  most_checks_a_day?: number | null;
  most_uploads_at_once?: number;
  most_uploads_an_hour?: number | null;
  keep_originals?: boolean;
  keep_checks_days?: number | null;
  keep_jobs_days?: number;
  keep_audit_days?: number;
  keep_cache_days?: number;
  least_password_length?: number;
  passwords_allowed?: boolean;
  lock_after?: number;
  lock_minutes?: number;
  may_ask_internet?: boolean;
  classes_may_ask_internet?: boolean;
  link_days?: number;
  most_link_days?: number;
  min_share?: number;
  notice_share?: number;
  high_share?: number;
}

export interface SourceResult {
  number: number;
  name: string;
  author: string | null;
  title: string | null;
  document: number | null;
  share: number;
  counted: number;
  under: string | null;
  literal: number;
  spans: [number, number][];
  passages: PassageResult[];
  fragments: PassageResult[];
  listings: PassageResult[];
  measures: MeasuresResult | null;
  match: Record<string, unknown> | null;
}

export interface SpanShape {
  start: number;
  end: number;
}

export interface StartedChecks {
  checks: number;
}

export interface StudentShape {
  id: string;
  name: string;
  shown_name: string;
  courses: number;
  submissions: number;
}

export interface SubmissionDetail {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  id: string;
  assignment: string;
  number: number;
  student: string | null;
  user: string | null;
  attempt: number;
  attempts: number;
  is_last: boolean;
  group: string | null;
  name: string | null;
  size: number;
  sha256: string;
  handed_in_on: string;
  is_late: boolean;
  state: "waiting" | "checked" | "unread" | "failed" | "cancelled" | "replaced";
  receipt: ReadingReceipt | null;
  check: string | null;
  later_share: number | null;
  may_read_report: boolean;
  summary: CheckSummary | null;
  assignment_name: string;
  course: string;
  course_name: string;
  others: SubmissionShape[];
}

export interface SubmissionShape {
  error: string | null;
  error_code: string | null;
  error_values: Record<string, unknown> | null;
  error_about: string | null;
  id: string;
  assignment: string;
  number: number;
  student: string | null;
  user: string | null;
  attempt: number;
  attempts: number;
  is_last: boolean;
  group: string | null;
  name: string | null;
  size: number;
  sha256: string;
  handed_in_on: string;
  is_late: boolean;
  state: "waiting" | "checked" | "unread" | "failed" | "cancelled" | "replaced";
  receipt: ReadingReceipt | null;
  check: string | null;
  later_share: number | null;
  may_read_report: boolean;
  summary: CheckSummary | null;
}

export interface TableResult {
  name: string;
  document: number | null;
  place: [number, number];
  page: number | null;
  caption: string;
  score: number;
  share_a: number;
  share_b: number;
  a: number;
  b: number;
  transposed: boolean;
  rows: [number, number][];
  columns: [number, number][];
  cells: string[][];
  row_factors: number[];
  column_factors: number[];
}

export interface TestShape {
  outcome: "works" | "wrong key" | "unreachable" | "quota" | "refused";
  results: number;
  message: Sentence | null;
}

export interface TextShape {
  id: number;
  name: string;
  language: string | null;
  text: string;
  pages: PageShape[];
  left_out: LeftOutShape[];
}

export interface Thresholds {
  notice: number;
  high: number;
}

export interface Tokens {
  access_token: string;
  token_type?: string;
  expires_in: number;
  refresh_token?: string | null;
  session: string;
  session_ends_on: string;
}

export interface TopSource {
  name: string;
  share: number;
  counted: number;
}

export interface TypeInput {
  name: string;
}

export interface TypeShape {
  name: string;
  position: number;
  documents: number;
}

export interface TypesInOrder {
  names: string[];
}

export interface UncomparedResult {
  reason: string;
  characters: number;
}

export interface UnitShape {
  unit: "words" | "chars";
  least_shingle: number;
  usual_shingle: number;
}

export interface UnreadResult {
  name: string;
  reason: string;
  code?: string | null;
  values?: Record<string, unknown> | null;
}

export interface UsageShape {
  name: string;
  documents: Used;
  bytes: Used;
  checks_a_day: Used;
}

export interface Used {
  used: number;
  most: number | null;
}

export interface User {
  id: string;
  name: string;
  shown_name: string;
  role: "administrator" | "teacher" | "student";
  is_active: boolean;
  must_change: boolean;
  made_on: string;
  language: string | null;
  email: string | null;
  most_documents: number | null;
  most_bytes: number | null;
  most_checks_a_day: number | null;
  log_in_delay?: LogInDelayShape | null;
  has_second_factor?: boolean;
}

export interface UserChanges {
  shown_name?: string | null;
  role?: "administrator" | "teacher" | "student" | null;
  is_active?: boolean | null;
  language?: "en" | "ru" | "kk" | null;
  email?: string | null;
  most_documents?: number | null;
  most_bytes?: number | null;
  most_checks_a_day?: number | null;
}

export interface VerifiedCertificate {
  state: "genuine" | "revoked" | "unknown";
  code?: string | null;
  number?: number | null;
  issued_on?: string | null;
  institution?: string | null;
  author?: string | null;
  title?: string | null;
  shares?: CertifiedShares | null;
  revoked_on?: string | null;
}

export interface WasReset {
  password?: string | null;
}

export interface WebInput {
  queries?: number | null;
  other_languages?: boolean;
  keep_pages?: boolean;
}

export interface WebShape {
  is_offered: boolean;
  is_offered_for_classes: boolean;
  sent: SentShape[];
  nothing_else: string;
  usual_queries: number;
  most_queries: number;
}

export interface Wordings {
  word_for_word: number;
  reworded: number;
  translated: number;
}

export interface WordsChange {
  add?: string[];
  remove?: string[];
}

export interface WordsInput {
  words: string[];
}

export interface WordsPreview {
  words?: string[] | null;
  add?: string[];
  remove?: string[];
}

export interface WordsShape {
  language: string;
  words: string[];
  needs_rebuild: boolean;
}
