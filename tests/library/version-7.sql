BEGIN TRANSACTION;
CREATE TABLE api_keys (
	id TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	hash BLOB NOT NULL, 
	scopes TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	ends_on DATETIME, 
	used_on DATETIME, 
	ended_on DATETIME, 
	CONSTRAINT pk_api_keys PRIMARY KEY (id), 
	CONSTRAINT fk_api_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE assignment_files (
	id TEXT NOT NULL, 
	assignment_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	size INTEGER NOT NULL, 
	sha256 BLOB NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT pk_assignment_files PRIMARY KEY (id), 
	CONSTRAINT fk_assignment_files_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignments (id) ON DELETE CASCADE
);
CREATE TABLE assignments (
	id TEXT NOT NULL, 
	course_id TEXT NOT NULL, 
	batch_id TEXT, 
	user_id TEXT, 
	name TEXT NOT NULL, 
	instructions TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	opens_on DATETIME, 
	due_on DATETIME, 
	closes_on DATETIME, 
	rules TEXT NOT NULL, 
	request TEXT NOT NULL, 
	is_blind BOOLEAN NOT NULL, 
	unveiled_on DATETIME, 
	keep_days INTEGER, 
	CONSTRAINT pk_assignments PRIMARY KEY (id), 
	CONSTRAINT fk_assignments_batch_id FOREIGN KEY(batch_id) REFERENCES batches (id) ON DELETE SET NULL, 
	CONSTRAINT fk_assignments_course_id FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE, 
	CONSTRAINT fk_assignments_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT uq_assignments_batch_id UNIQUE (batch_id)
);
CREATE TABLE audit (
	id TEXT NOT NULL, 
	"on" DATETIME NOT NULL, 
	user_id TEXT, 
	user_name TEXT, 
	act TEXT NOT NULL, 
	target TEXT, 
	address TEXT, 
	detail TEXT NOT NULL, person TEXT, 
	CONSTRAINT pk_audit PRIMARY KEY (id), 
	CONSTRAINT fk_audit_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE audit_people (
	number TEXT NOT NULL, 
	user_id TEXT, 
	name TEXT, 
	CONSTRAINT pk_audit_people PRIMARY KEY (number), 
	CONSTRAINT fk_audit_people_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT uq_audit_people_user_id UNIQUE (user_id)
);
CREATE TABLE batch_results (
	batch_id TEXT NOT NULL, 
	packed BLOB NOT NULL, 
	CONSTRAINT pk_batch_results PRIMARY KEY (batch_id), 
	CONSTRAINT fk_batch_results_batch_id FOREIGN KEY(batch_id) REFERENCES batches (id) ON DELETE CASCADE
);
CREATE TABLE batches (
	id TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	job_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	request TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	is_shared BOOLEAN NOT NULL, 
	summary TEXT, closed_on DATETIME, 
	CONSTRAINT pk_batches PRIMARY KEY (id), 
	CONSTRAINT fk_batches_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE certificates (
	id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	check_id TEXT, 
	user_id TEXT, 
	user_name TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	revoked_on DATETIME, 
	facts TEXT NOT NULL, 
	CONSTRAINT pk_certificates PRIMARY KEY (id), 
	CONSTRAINT fk_certificates_check_id FOREIGN KEY(check_id) REFERENCES checks (id) ON DELETE SET NULL, 
	CONSTRAINT fk_certificates_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT uq_certificates_number UNIQUE (number)
);
CREATE TABLE "check_comments" (
	id TEXT NOT NULL, 
	check_id TEXT NOT NULL, 
	user_id TEXT, 
	user_name TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	comment TEXT NOT NULL, 
	link_id TEXT, 
	CONSTRAINT pk_check_comments PRIMARY KEY (id), 
	CONSTRAINT fk_check_comments_check_id FOREIGN KEY(check_id) REFERENCES checks (id) ON DELETE CASCADE, 
	CONSTRAINT fk_check_comments_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT fk_check_comments_link_id FOREIGN KEY(link_id) REFERENCES report_links (id) ON DELETE SET NULL
);
CREATE TABLE check_confirmations (
	id TEXT NOT NULL, 
	check_id TEXT NOT NULL, 
	user_id TEXT, 
	user_name TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	comment TEXT NOT NULL, 
	CONSTRAINT pk_check_confirmations PRIMARY KEY (id), 
	CONSTRAINT fk_check_confirmations_check_id FOREIGN KEY(check_id) REFERENCES checks (id) ON DELETE CASCADE, 
	CONSTRAINT fk_check_confirmations_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE check_exclusions (
	id TEXT NOT NULL, 
	check_id TEXT NOT NULL, 
	user_id TEXT, 
	user_name TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	source TEXT, 
	start INTEGER, 
	"end" INTEGER, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_check_exclusions PRIMARY KEY (id), 
	CONSTRAINT fk_check_exclusions_check_id FOREIGN KEY(check_id) REFERENCES checks (id) ON DELETE CASCADE, 
	CONSTRAINT fk_check_exclusions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE check_results (
	check_id TEXT NOT NULL, 
	packed BLOB NOT NULL, 
	CONSTRAINT pk_check_results PRIMARY KEY (check_id), 
	CONSTRAINT fk_check_results_check_id FOREIGN KEY(check_id) REFERENCES checks (id) ON DELETE CASCADE
);
CREATE TABLE checks (
	id TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	job_id TEXT, 
	batch_id TEXT, 
	name TEXT NOT NULL, 
	request TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	is_shared BOOLEAN NOT NULL, 
	summary TEXT, opened_on DATETIME, 
	CONSTRAINT pk_checks PRIMARY KEY (id), 
	CONSTRAINT fk_checks_batch_id FOREIGN KEY(batch_id) REFERENCES batches (id) ON DELETE CASCADE, 
	CONSTRAINT fk_checks_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE "collections" (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	about TEXT NOT NULL, 
	owner_id TEXT, 
	is_shared BOOLEAN NOT NULL, 
	made_on DATETIME NOT NULL, 
	is_open_to_students BOOLEAN DEFAULT 0 NOT NULL, 
	keep_days INTEGER, 
	CONSTRAINT pk_collections PRIMARY KEY (id), 
	CONSTRAINT fk_collections_owner_id FOREIGN KEY(owner_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE commission_decisions (
	id TEXT NOT NULL, 
	check_id TEXT NOT NULL, 
	link_id TEXT, 
	user_id TEXT, 
	user_name TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	decision TEXT NOT NULL, 
	comment TEXT NOT NULL, 
	CONSTRAINT pk_commission_decisions PRIMARY KEY (id), 
	CONSTRAINT fk_commission_decisions_check_id FOREIGN KEY(check_id) REFERENCES checks (id) ON DELETE CASCADE, 
	CONSTRAINT fk_commission_decisions_link_id FOREIGN KEY(link_id) REFERENCES report_links (id) ON DELETE SET NULL, 
	CONSTRAINT fk_commission_decisions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE concept_blocks (
	document_id INTEGER NOT NULL, 
	recipe_id INTEGER NOT NULL, 
	change INTEGER NOT NULL, 
	blocks INTEGER NOT NULL, 
	concepts BLOB NOT NULL, 
	CONSTRAINT pk_concept_blocks PRIMARY KEY (document_id, recipe_id), 
	CONSTRAINT fk_concept_blocks_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_concept_blocks_recipe_id FOREIGN KEY(recipe_id) REFERENCES recipes (id) ON DELETE CASCADE
);
INSERT INTO "concept_blocks" VALUES(1,5,15,1,X'B63F80742180FE0F80F91700EE0C802A0A000510804E3C00040D800A0680C10680B913009A09807B0A00090280DC09008A1E80EF03804505806D1400240880861900960580190900E402802B0400620680A30700D40480BF08006807809B1400');
INSERT INTO "concept_blocks" VALUES(2,5,15,1,X'4A23F4B818806E3D801310009C16807B3A00361B80BD0A000B0D80B13A00FA3980620C00970780531E00551A801818007E0480A03D00191980681C005D05809B0200230280740580611A00240980290B001F07803503009E07802C0800890280');
INSERT INTO "concept_blocks" VALUES(4,5,15,1,X'4A23F4B818806E3D801310009C16807B3A00361B80BD0A000B0D80B13A00FA3980620C00970780531E00551A801818007E0480A03D00191980681C005D05809B0200230280740580611A00240980290B001F07803503009E07802C0800890280');
CREATE TABLE consent_texts (
	id TEXT NOT NULL, 
	texts TEXT NOT NULL, 
	user_id TEXT, 
	made_on DATETIME NOT NULL, 
	CONSTRAINT pk_consent_texts PRIMARY KEY (id), 
	CONSTRAINT fk_consent_texts_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE course_members (
	course_id TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	role TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	CONSTRAINT pk_course_members PRIMARY KEY (course_id, user_id), 
	CONSTRAINT fk_course_members_course_id FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE, 
	CONSTRAINT fk_course_members_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT ck_course_members_known_role CHECK (role IN ('teacher', 'student'))
);
CREATE TABLE courses (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	code TEXT NOT NULL, 
	term TEXT NOT NULL, 
	user_id TEXT, 
	made_on DATETIME NOT NULL, 
	closed_on DATETIME, 
	CONSTRAINT pk_courses PRIMARY KEY (id), 
	CONSTRAINT fk_courses_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE document_references (
	document_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	name TEXT NOT NULL,
	owner TEXT,
	author TEXT,
	added_on DATETIME NOT NULL,
	path TEXT,
	CONSTRAINT pk_document_references PRIMARY KEY (document_id, number),
	CONSTRAINT fk_document_references_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "document_references" VALUES(2,2,'market','other',NULL,'2024-06-03 00:00:00.000000',NULL);
CREATE TABLE document_tables (
	document_id INTEGER NOT NULL,
	recipe_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	change INTEGER NOT NULL,
	tokens INTEGER NOT NULL,
	hashes BLOB NOT NULL,
	CONSTRAINT pk_document_tables PRIMARY KEY (document_id, recipe_id, number),
	CONSTRAINT fk_document_tables_recipe_id FOREIGN KEY(recipe_id) REFERENCES recipes (id) ON DELETE CASCADE,
	CONSTRAINT fk_document_tables_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE document_types (
	name TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	CONSTRAINT pk_document_types PRIMARY KEY (name)
);
CREATE TABLE "documents" (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	sha256 BLOB NOT NULL, 
	is_file BOOLEAN NOT NULL, 
	text_hash BLOB NOT NULL, 
	copy_of INTEGER, 
	owner TEXT, 
	added_on DATETIME NOT NULL, 
	path TEXT, 
	language TEXT, 
	type TEXT, 
	organisation TEXT, 
	author TEXT, 
	advisor TEXT, 
	year SMALLINT, 
	month SMALLINT, 
	words INTEGER NOT NULL, 
	chars INTEGER NOT NULL, 
	searched TEXT NOT NULL, 
	collection TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_documents PRIMARY KEY (id), 
	CONSTRAINT fk_documents_copy_of FOREIGN KEY(copy_of) REFERENCES documents (id), 
	CONSTRAINT uq_documents_sha256_collection UNIQUE (sha256, collection)
);
INSERT INTO "documents" VALUES(1,'river',X'C2C405F56750C1CF7E1CE94E9BFD8B8F7F694B5FD0BE0C59BF9FBADD537AA52D',0,X'F36614DBA99FAD2B963F8854A43CEDF5',NULL,'dean','2024-05-31 00:00:00.000000',NULL,'en','essay','Faculty','Ә. Нұр','B',2024,5,64,357,'river
dean
ә. нұр
b
faculty','');
INSERT INTO "documents" VALUES(2,'market',X'2282FEA308A100257807612DC525DDC59A09B3D885F84E918167F52E75BA11E5',0,X'E4C18FC40D9778F71A2E9BF50DB50DDC',NULL,NULL,'2024-06-01 00:00:00.000000',NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,66,349,'market','');
INSERT INTO "documents" VALUES(4,'market again',X'0291F97E6CE9A5E1C57BFDCF856C0859C35AE550E5BBD03028A2E42028C53B85',0,X'E4C18FC40D9778F71A2E9BF50DB50DDC',2,NULL,'2024-06-02 00:00:00.000000',NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,66,350,'market again','');
CREATE TABLE erasures (
	id TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	user_id TEXT, 
	user_name TEXT, 
	receipt TEXT NOT NULL, 
	CONSTRAINT pk_erasures PRIMARY KEY (id), 
	CONSTRAINT fk_erasures_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE guesses (
	"of" TEXT NOT NULL, 
	failures INTEGER NOT NULL, 
	last_on DATETIME NOT NULL, 
	locked_until DATETIME, 
	CONSTRAINT pk_guesses PRIMARY KEY ("of")
);
CREATE TABLE identities (
	id TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	provider_id TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	used_on DATETIME NOT NULL, 
	CONSTRAINT pk_identities PRIMARY KEY (id), 
	CONSTRAINT fk_identities_provider_id FOREIGN KEY(provider_id) REFERENCES login_providers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT uq_identities_provider_id_subject UNIQUE (provider_id, subject)
);
CREATE TABLE jobs (
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	user_id TEXT, 
	request TEXT NOT NULL, 
	state TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	not_before DATETIME NOT NULL, 
	attempts INTEGER NOT NULL, 
	worker TEXT, 
	leased_until DATETIME, 
	started_on DATETIME, 
	ended_on DATETIME, 
	stage TEXT, 
	done INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	is_unwanted BOOLEAN NOT NULL, 
	error TEXT, 
	outcome TEXT, dismissed_on DATETIME, 
	CONSTRAINT pk_jobs PRIMARY KEY (id), 
	CONSTRAINT fk_jobs_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE key_values (
	"key" TEXT NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_key_values PRIMARY KEY ("key")
);
INSERT INTO "key_values" VALUES('greeting','сәлем');
CREATE TABLE library (
	id SMALLINT NOT NULL CONSTRAINT ck_library_one_row CHECK (id = 1),
	uid TEXT NOT NULL,
	made_on DATETIME NOT NULL,
	changes INTEGER NOT NULL,
	last_document INTEGER NOT NULL,
	recipe_id INTEGER NOT NULL,
	next_recipe_id INTEGER,
	CONSTRAINT pk_library PRIMARY KEY (id),
	CONSTRAINT fk_library_recipe_id FOREIGN KEY(recipe_id) REFERENCES recipes (id),
	CONSTRAINT fk_library_next_recipe_id FOREIGN KEY(next_recipe_id) REFERENCES recipes (id)
);
INSERT INTO "library" VALUES(1,'e3265c2431d547b1bd04bdad89c4bb00','2024-05-30 12:00:00.000000',15,4,4,NULL);
CREATE TABLE likewise_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT likewise_version_pkc PRIMARY KEY (version_num));
INSERT INTO "likewise_version" VALUES('7');
CREATE TABLE login_providers (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	issuer TEXT NOT NULL, 
	client_id TEXT NOT NULL, 
	client_secret BLOB, 
	options TEXT NOT NULL, 
	is_active BOOLEAN NOT NULL, 
	position INTEGER NOT NULL, 
	made_on DATETIME NOT NULL, 
	CONSTRAINT pk_login_providers PRIMARY KEY (id)
);
CREATE TABLE login_requests (
	hash BLOB NOT NULL, 
	provider_id TEXT NOT NULL, 
	request TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	ends_on DATETIME NOT NULL, 
	used_on DATETIME, 
	CONSTRAINT pk_login_requests PRIMARY KEY (hash), 
	CONSTRAINT fk_login_requests_provider_id FOREIGN KEY(provider_id) REFERENCES login_providers (id) ON DELETE CASCADE
);
CREATE TABLE mail_queue (
	id TEXT NOT NULL, 
	user_id TEXT, 
	"to" TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	language TEXT, 
	"values" TEXT NOT NULL, 
	"key" TEXT, 
	made_on DATETIME NOT NULL, 
	not_before DATETIME NOT NULL, 
	attempts INTEGER NOT NULL, 
	sent_on DATETIME, 
	failed_on DATETIME, 
	error TEXT, 
	CONSTRAINT pk_mail_queue PRIMARY KEY (id), 
	CONSTRAINT fk_mail_queue_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT uq_mail_queue_key UNIQUE ("key")
);
CREATE TABLE originals (
	document_id INTEGER NOT NULL,
	packed BLOB NOT NULL,
	CONSTRAINT pk_originals PRIMARY KEY (document_id),
	CONSTRAINT fk_originals_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE password_resets (
	hash BLOB NOT NULL, 
	user_id TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	ends_on DATETIME NOT NULL, 
	used_on DATETIME, 
	CONSTRAINT pk_password_resets PRIMARY KEY (hash), 
	CONSTRAINT fk_password_resets_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE recipes (
	id INTEGER NOT NULL,
	recipe TEXT NOT NULL,
	settings TEXT NOT NULL,
	CONSTRAINT pk_recipes PRIMARY KEY (id),
	CONSTRAINT uq_recipes_recipe UNIQUE (recipe)
);
INSERT INTO "recipes" VALUES(1,'sketch1 words5 window4 languages=en+kk+ru homoglyphs=True stop_words=True stem=True drop_digits=False drop_symbols=True drop_urls=True join_hyphens=True min_length=1 max_length=64 drop_common=None scheme=fast slots=256 bits=16 seed=1 unicode=14.0.0 snowball=3.1.0','{"agreeing_bands": 1, "bands": null, "bits": 16, "drop_common": null, "drop_digits": false, "drop_symbols": true, "drop_urls": true, "filter": "prefix", "homoglyphs": true, "join_hyphens": true, "languages": ["en", "ru", "kk"], "max_length": 64, "measure": "jaccard", "method": "exact", "min_length": 1, "recall": 0.99, "scheme": "fast", "seed": 1, "shingle": 5, "slots": 256, "stem": true, "stop_words": true, "threshold": 0.3, "unit": "words", "window": 4}');
INSERT INTO "recipes" VALUES(2,'sketch1 words5 window4 languages=en+kk+ru homoglyphs=True stop_words=7f60fa083c8a stem=True drop_digits=False drop_symbols=True drop_urls=True join_hyphens=True min_length=1 max_length=64 drop_common=None scheme=fast slots=256 bits=16 seed=1 unicode=14.0.0 snowball=3.1.0','{"agreeing_bands": 1, "bands": null, "bits": 16, "drop_common": null, "drop_digits": false, "drop_symbols": true, "drop_urls": true, "filter": "prefix", "homoglyphs": true, "join_hyphens": true, "languages": ["en", "ru", "kk"], "max_length": 64, "measure": "jaccard", "method": "exact", "min_length": 1, "recall": 0.99, "scheme": "fast", "seed": 1, "shingle": 5, "slots": 256, "stem": true, "stop_words": ["a", "about", "above", "after", "again", "against", "all", "along", "also", "although", "am", "among", "an", "and", "another", "any", "are", "aren", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "cannot", "could", "couldn", "d", "did", "didn", "do", "does", "doesn", "doing", "don", "down", "during", "each", "either", "else", "even", "every", "few", "for", "from", "further", "had", "hadn", "has", "hasn", "have", "haven", "having", "he", "her", "here", "hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "in", "into", "is", "isn", "it", "its", "itself", "just", "let", "ll", "m", "may", "me", "might", "mightn", "more", "most", "much", "must", "mustn", "my", "myself", "neither", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "onto", "or", "other", "others", "our", "ours", "ourselves", "out", "over", "own", "re", "s", "same", "shall", "shan", "she", "should", "shouldn", "since", "so", "some", "such", "t", "than", "that", "the", "their", "theirs", "them", "themselves", "then", "there", "therefore", "these", "they", "this", "those", "though", "through", "thus", "to", "too", "under", "until", "up", "upon", "us", "ve", "very", "via", "was", "wasn", "we", "were", "weren", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "without", "won", "would", "wouldn", "yet", "you", "your", "yours", "yourself", "yourselves", "ай", "ал", "алайда", "алдымен", "ана", "анау", "арқылы", "ау", "ба", "бар", "барлығы", "барлық", "басқа", "бе", "бен", "бері", "бойы", "бойынша", "болады", "болар", "болатын", "болды", "болмаса", "болса", "болсын", "болу", "болып", "болған", "былай", "біз", "бізбен", "бізге", "бізде", "бізден", "біздер", "бізді", "біздің", "бір", "бірақ", "бірге", "бірде", "біреу", "бірнеше", "бірі", "бұдан", "бұл", "бұлар", "бұларды", "бұлардың", "бұндай", "бұны", "бұның", "бұған", "бәрі", "бәрін", "да", "дағы", "де", "деген", "дегенмен", "деді", "дей", "дейді", "дейін", "демек", "деп", "десе", "е", "егер", "еді", "едім", "екен", "емес", "ендеше", "енді", "етеді", "еткен", "ету", "етіп", "еш", "ешбір", "ешкім", "ешнәрсе", "ешқандай", "ешқашан", "ең", "жайлы", "жайында", "жатыр", "жатқан", "жоқ", "жүр", "жүрген", "және", "жөнінде", "кез", "кейбір", "кейде", "кейін", "келген", "кім", "кімге", "кімді", "кімнің", "күллі", "ма", "маған", "ме", "мен", "менде", "менен", "мені", "менімен", "менің", "мына", "мынадай", "мынау", "мұнан", "мұнда", "мұндай", "мұны", "мұның", "не", "неге", "неліктен", "немен", "немесе", "нені", "ненің", "несі", "одан", "ол", "олай", "олар", "оларда", "олардан", "оларды", "олардың", "олармен", "оларға", "онан", "онда", "ондай", "онсыз", "оны", "онымен", "оның", "осы", "осыдан", "осылай", "осында", "осындай", "осыны", "осының", "осыған", "отыр", "отырып", "отырған", "оған", "па", "пе", "пен", "саған", "себебі", "сен", "сенде", "сендер", "сендердің", "сенен", "сені", "сенімен", "сенің", "сияқты", "содан", "сол", "солай", "солар", "сонда", "сондай", "сондықтан", "соны", "сонымен", "соның", "сосын", "соған", "соң", "сіз", "сізбен", "сізге", "сізде", "сізден", "сіздер", "сізді", "сіздің", "та", "тағы", "те", "тек", "туралы", "тым", "түгел", "тұр", "тұрған", "шейін", "ғана", "ғой", "қай", "қайда", "қайдан", "қайсы", "қалай", "қандай", "қарай", "қарсы", "қашан", "үшін", "әлде", "әлденеше", "әр", "әрбір", "әрине", "әркім", "әрі", "өз", "өзге", "өздері", "өздерінің", "өзі", "өзім", "өзімен", "өзін", "өзіне", "өзінен", "өзінің", "өте"], "threshold": 0.3, "unit": "words", "window": 4}');
INSERT INTO "recipes" VALUES(3,'sketch1 words5 window4 languages=en+kk+ru homoglyphs=True stop_words=fc53eb2c6cb0 stem=True drop_digits=False drop_symbols=True drop_urls=True join_hyphens=True min_length=1 max_length=64 drop_common=None scheme=fast slots=256 bits=16 seed=1 unicode=14.0.0 snowball=3.1.0','{"agreeing_bands": 1, "bands": null, "bits": 16, "drop_common": null, "drop_digits": false, "drop_symbols": true, "drop_urls": true, "filter": "prefix", "homoglyphs": true, "join_hyphens": true, "languages": ["en", "ru", "kk"], "max_length": 64, "measure": "jaccard", "method": "exact", "min_length": 1, "recall": 0.99, "scheme": "fast", "seed": 1, "shingle": 5, "slots": 256, "stem": true, "stop_words": ["a", "about", "above", "after", "again", "against", "all", "along", "also", "although", "am", "among", "an", "and", "another", "any", "are", "aren", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "cannot", "could", "couldn", "d", "did", "didn", "do", "does", "doesn", "doing", "don", "down", "during", "each", "either", "else", "even", "every", "few", "for", "from", "further", "had", "hadn", "has", "hasn", "have", "haven", "having", "he", "her", "here", "hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "in", "into", "is", "isn", "it", "its", "itself", "just", "let", "ll", "m", "may", "me", "might", "mightn", "more", "most", "much", "must", "mustn", "my", "myself", "neither", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "onto", "or", "other", "others", "our", "ours", "ourselves", "out", "over", "own", "re", "s", "same", "shall", "shan", "she", "should", "shouldn", "since", "so", "some", "such", "t", "than", "that", "the", "their", "theirs", "them", "themselves", "then", "there", "therefore", "these", "they", "this", "those", "though", "through", "thus", "to", "too", "under", "until", "up", "upon", "us", "ve", "very", "via", "was", "wasn", "we", "were", "weren", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "without", "won", "would", "wouldn", "yet", "you", "your", "yours", "yourself", "yourselves"], "threshold": 0.3, "unit": "words", "window": 4}');
INSERT INTO "recipes" VALUES(4,'sketch1 words5 window4 languages=en+kk+ru homoglyphs=True stop_words=713cc6f0e56c stem=True drop_digits=False drop_symbols=True drop_urls=True join_hyphens=True min_length=1 max_length=64 drop_common=None scheme=fast slots=256 bits=16 seed=1 unicode=14.0.0 snowball=3.1.0','{"agreeing_bands": 1, "bands": null, "bits": 16, "drop_common": null, "drop_digits": false, "drop_symbols": true, "drop_urls": true, "filter": "prefix", "homoglyphs": true, "join_hyphens": true, "languages": ["en", "ru", "kk"], "max_length": 64, "measure": "jaccard", "method": "exact", "min_length": 1, "recall": 0.99, "scheme": "fast", "seed": 1, "shingle": 5, "slots": 256, "stem": true, "stop_words": ["a", "and", "of", "the"], "threshold": 0.3, "unit": "words", "window": 4}');
INSERT INTO "recipes" VALUES(5,'blocks1 words=56 telling=32 rarity=a631da4ab705 concepts1 n=18275 words=18a2fefb55a0','{}');
CREATE TABLE recovery_codes (
	hash BLOB NOT NULL, 
	user_id TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	used_on DATETIME, 
	CONSTRAINT pk_recovery_codes PRIMARY KEY (hash), 
	CONSTRAINT fk_recovery_codes_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE refresh_tokens (
	hash BLOB NOT NULL, 
	session_id TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	used_on DATETIME, 
	CONSTRAINT pk_refresh_tokens PRIMARY KEY (hash), 
	CONSTRAINT fk_refresh_tokens_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE TABLE removals (
	document_id INTEGER NOT NULL,
	change INTEGER NOT NULL,
	CONSTRAINT pk_removals PRIMARY KEY (document_id)
);
INSERT INTO "removals" VALUES(3,11);
CREATE TABLE report_link_openings (
	id TEXT NOT NULL, 
	link_id TEXT NOT NULL, 
	"on" DATETIME NOT NULL, 
	user_id TEXT, 
	address TEXT, 
	CONSTRAINT pk_report_link_openings PRIMARY KEY (id), 
	CONSTRAINT fk_report_link_openings_link_id FOREIGN KEY(link_id) REFERENCES report_links (id) ON DELETE CASCADE, 
	CONSTRAINT fk_report_link_openings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE report_links (
	id TEXT NOT NULL, 
	hash BLOB NOT NULL, 
	check_id TEXT, 
	batch_id TEXT, 
	user_id TEXT, 
	made_on DATETIME NOT NULL, 
	ends_on DATETIME NOT NULL, 
	revoked_on DATETIME, 
	recipient TEXT NOT NULL, 
	recipient_id TEXT, 
	email TEXT, 
	is_commission BOOLEAN NOT NULL, 
	told_on DATETIME, 
	CONSTRAINT pk_report_links PRIMARY KEY (id), 
	CONSTRAINT fk_report_links_batch_id FOREIGN KEY(batch_id) REFERENCES batches (id) ON DELETE CASCADE, 
	CONSTRAINT fk_report_links_check_id FOREIGN KEY(check_id) REFERENCES checks (id) ON DELETE CASCADE, 
	CONSTRAINT fk_report_links_recipient_id FOREIGN KEY(recipient_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT fk_report_links_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT uq_report_links_hash UNIQUE (hash)
);
CREATE TABLE second_factors (
	user_id TEXT NOT NULL, 
	secret BLOB NOT NULL, 
	made_on DATETIME NOT NULL, 
	confirmed_on DATETIME, 
	last_step INTEGER, 
	CONSTRAINT pk_second_factors PRIMARY KEY (user_id), 
	CONSTRAINT fk_second_factors_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE self_checks (
	id TEXT NOT NULL, 
	assignment_id TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	job_id TEXT, 
	name TEXT NOT NULL, 
	sha256 BLOB NOT NULL, 
	made_on DATETIME NOT NULL, 
	ends_on DATETIME NOT NULL, 
	summary TEXT, 
	packed BLOB, 
	CONSTRAINT pk_self_checks PRIMARY KEY (id), 
	CONSTRAINT fk_self_checks_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignments (id) ON DELETE CASCADE, 
	CONSTRAINT fk_self_checks_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE "sessions" (
	id TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	made_on DATETIME NOT NULL, 
	used_on DATETIME NOT NULL, 
	ends_on DATETIME NOT NULL, 
	ended_on DATETIME, 
	ended_why TEXT, 
	address TEXT, 
	agent TEXT, 
	authenticated_on DATETIME, 
	identity_id TEXT, 
	provider_session TEXT, 
	CONSTRAINT pk_sessions PRIMARY KEY (id), 
	CONSTRAINT fk_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT fk_sessions_identity_id FOREIGN KEY(identity_id) REFERENCES identities (id) ON DELETE SET NULL
);
CREATE TABLE signing_keys (
	id TEXT NOT NULL, 
	secret BLOB NOT NULL, 
	made_on DATETIME NOT NULL, 
	ends_on DATETIME NOT NULL, 
	CONSTRAINT pk_signing_keys PRIMARY KEY (id)
);
CREATE TABLE sketches (
	document_id INTEGER NOT NULL,
	recipe_id INTEGER NOT NULL,
	change INTEGER NOT NULL,
	shingles INTEGER NOT NULL,
	fingerprints INTEGER NOT NULL,
	hashes BLOB NOT NULL, others BIGINT,
	CONSTRAINT pk_sketches PRIMARY KEY (document_id, recipe_id),
	CONSTRAINT fk_sketches_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE,
	CONSTRAINT fk_sketches_recipe_id FOREIGN KEY(recipe_id) REFERENCES recipes (id) ON DELETE CASCADE
);
INSERT INTO "sketches" VALUES(1,4,8,0,38,X'8800A8002F2FEEA0B4989B034394888A8E6FA60304B63E728FE3090EB5082CA2726DF212848735A60727EE1A4BE80DEB5D82661D36A5A1D266935831F4AEE2D17DA1C734F0B891D3B460D63E608E4A45E70B2557D4A83BCAC5C2EB57D084F93264AF50596C3C2C012DB9F65DE51F88137EC47577AA3D138C74342E816572D339DF3424BB56C00C650C95C3D0A2C989FADADFEC0690F2D2C39CF8930BCFC90A9FD744AF0CE74EE16E3E46790F03E563F95D183F12E0F4668F4F1B0C172D875C142D7F1319979BC1D7A3CA091E9A8F9C28623969271D0FC3F386704128009FC8EF09BDCE2B4B9E72F00756B33A0FA9E84F5096AE43352A762E7FECBE4F1010EA537B849652EB2644A6118C125D84E8FA265D4E7E60A77A5513CC546471F768485146B2BB7374550095250C68762F57FFDBB1332C78',1);
CREATE TABLE stop_words (
	language TEXT NOT NULL,
	word TEXT NOT NULL,
	CONSTRAINT pk_stop_words PRIMARY KEY (language, word)
);
INSERT INTO "stop_words" VALUES('en','a');
INSERT INTO "stop_words" VALUES('en','and');
INSERT INTO "stop_words" VALUES('en','of');
INSERT INTO "stop_words" VALUES('en','the');
CREATE TABLE submissions (
	id TEXT NOT NULL, 
	assignment_id TEXT NOT NULL, 
	user_id TEXT, 
	student TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	attempt INTEGER NOT NULL, 
	group_name TEXT, 
	name TEXT NOT NULL, 
	size INTEGER NOT NULL, 
	sha256 BLOB NOT NULL, 
	handed_in_on DATETIME NOT NULL, 
	handed_in_by TEXT, 
	is_late BOOLEAN NOT NULL, 
	job_id TEXT, 
	check_id TEXT, 
	receipt TEXT, 
	consent_id TEXT, 
	withdrawn_on DATETIME, 
	CONSTRAINT pk_submissions PRIMARY KEY (id), 
	CONSTRAINT fk_submissions_assignment_id FOREIGN KEY(assignment_id) REFERENCES assignments (id) ON DELETE CASCADE, 
	CONSTRAINT fk_submissions_check_id FOREIGN KEY(check_id) REFERENCES checks (id) ON DELETE SET NULL, 
	CONSTRAINT fk_submissions_consent_id FOREIGN KEY(consent_id) REFERENCES consent_texts (id) ON DELETE SET NULL, 
	CONSTRAINT fk_submissions_handed_in_by FOREIGN KEY(handed_in_by) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT fk_submissions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT uq_submissions_assignment_id_number_attempt_name UNIQUE (assignment_id, number, attempt, name)
);
CREATE TABLE tags (
	document_id INTEGER NOT NULL,
	tag TEXT NOT NULL,
	CONSTRAINT pk_tags PRIMARY KEY (document_id, tag),
	CONSTRAINT fk_tags_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "tags" VALUES(1,'history');
INSERT INTO "tags" VALUES(1,'spring');
CREATE TABLE texts (
	document_id INTEGER NOT NULL,
	packed BLOB NOT NULL,
	CONSTRAINT pk_texts PRIMARY KEY (document_id),
	CONSTRAINT fk_texts_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "texts" VALUES(1,X'28B52FFD60C800450900C6963D1E70A76D03D131EC7BEDB4C88F20A451EC6F55BC2002624B1944D70054E10B32003300330076BCF12771153F055EB8D4E623B73FE8AFED7CD15DCBDBD159BAA8CF89D6B934F9A13E9F6297BEA7E0FED080314C1F5C1B844F740F4FD862E73C64ED7CF1144DCE772C2554BEB7684A4A4F15EA0EE5A28BDCCE97605FA27C24ED77E00B3E74A4ADE17CB81BB69C5B3D717B9E88C0744EAA2AB1F99CBA87F82E1127B1FB96F752D4B8BCF1CCBAC7D38E2309D1717BF33A0BE089801710698609050486E9A5067DB8D63445028261AC2F31454A2B0D73C7D6494BBBFA40950CD6A62820300CDF31650A5358BBF6794F394C67F8B5A5AF1E30120021555C4C52BE28F0B5819738983693026352A86E304B261EBEE2AA37B0F7CEB598B54494DF7158A1A7098515A4');
INSERT INTO "texts" VALUES(2,X'28B52FFD60C00015090016D53A1E70A76D03E8F6A5455A6DFBC3117ADB6EA2A3E96B2382486A209D0650255E3100300030008CEC3264878ACEA7BE1AB245F038373B74D5C99C5513F9DAECEBB452E17164D70CF8A8FADC5C4A16F035708CD307D80711ABE87766F4DEA43D50597E5AF7A25592C8BC39CE0C32F4A4FB8251BBF7F84264C957FEA0A99CB5E5AB227FA1B2042704FA3B1EDF7EABA46D7EEDAEB3455E30ABB2F9D4B953AD3DA7850BA6234AB60074BE51CCF9C02B7042C265D9E63ED53FA00943C138DDB6A011EC5DA748208C738DCA2954DB320E26D79275CA5AA35CF4B83E85A1601CC6E496531C4273E9C81E95EC3707D402130021555C4C52E445D0CC460D9A703E010FDE3A3D1370DAE29EB83F098A3ADEC14EAF301099B14F98DAD056E37BD470AD613E01');
INSERT INTO "texts" VALUES(4,X'28B52FFD60C20025090036553B1F70A76D03E8F6A5455A6DF747107ADB6EA20FC9B4302288A406D2690055E205310030003000BB0CD9E142E753D7866C113CCECD0E5D7532E7B512B96EF675D254781CD9B5033EAA3E379792055C07B4E018A711B04F22E87766D6BD497BA0B2FCA4F7A25592C8BC39CE0C32F4B4F605E3EADEE38AC8926B1EB152396BCB5F0BF98ACA12BCC048773CBEFD5649DBBCEEEAD9222F9855D97CEADCA974CF4971C17444C91680CE378A392378055E48B82CDBDCA7FA08B42B09078371BAAD4123D8ABA7484818E71A9553ACD5D438985C4BF4166B8D7259C7F5290E06E33026B79CE2149A4B47F6A864BF41A0B61E130021555C4C52E445D0CC460D9A703E010FDE3A3D1370DAE29EB83F098A3ADEC14EAF301099B14F98DAD056E37BD470AF613E01');
CREATE TABLE upload_parts (
	upload_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT pk_upload_parts PRIMARY KEY (upload_id, number), 
	CONSTRAINT fk_upload_parts_upload_id FOREIGN KEY(upload_id) REFERENCES uploads (id) ON DELETE CASCADE
);
CREATE TABLE uploads (
	id TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	size INTEGER NOT NULL, 
	sha256 BLOB NOT NULL, 
	made_on DATETIME NOT NULL, 
	CONSTRAINT pk_uploads PRIMARY KEY (id), 
	CONSTRAINT fk_uploads_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE "users" (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	shown_name TEXT NOT NULL, 
	role TEXT NOT NULL, 
	password TEXT NOT NULL, 
	must_change BOOLEAN NOT NULL, 
	is_active BOOLEAN NOT NULL, 
	made_on DATETIME NOT NULL, 
	language TEXT, 
	most_documents INTEGER, 
	most_bytes INTEGER, 
	most_checks_a_day INTEGER, 
	email TEXT, 
	email_verified_on DATETIME, 
	mail_kinds TEXT, 
	CONSTRAINT pk_users PRIMARY KEY (id), 
	CONSTRAINT uq_users_name UNIQUE (name), 
	CONSTRAINT ck_users_known_role CHECK (role IN ('administrator', 'teacher', 'student'))
);
CREATE INDEX ix_removals_change ON removals (change);
CREATE INDEX ix_tags_tag ON tags (tag);
CREATE INDEX ix_sketches_in_order ON sketches (recipe_id, change, document_id);
CREATE INDEX ix_document_tables_in_order ON document_tables (recipe_id, change, document_id, number);
CREATE INDEX ix_documents_copy_of ON documents (copy_of);
CREATE INDEX ix_documents_name ON documents (name);
CREATE INDEX ix_documents_added_on ON documents (added_on);
CREATE INDEX ix_documents_text_hash ON documents (text_hash);
CREATE INDEX ix_documents_collection ON documents (collection);
CREATE INDEX ix_documents_owner ON documents (owner, id);
CREATE INDEX ix_documents_author ON documents (author, id);
CREATE INDEX ix_documents_advisor ON documents (advisor, id);
CREATE INDEX ix_documents_organisation ON documents (organisation, id);
CREATE INDEX ix_documents_language ON documents (language, id);
CREATE INDEX ix_documents_type ON documents (type, id);
CREATE INDEX ix_documents_year ON documents (year, id);
CREATE INDEX ix_documents_words ON documents (words, id);
CREATE INDEX ix_document_references_owner ON document_references (owner);
CREATE INDEX ix_document_references_author ON document_references (author);
CREATE INDEX ix_documents_searched ON documents (searched);
CREATE INDEX ix_api_keys_user_id ON api_keys (user_id);
CREATE INDEX ix_audit_on ON audit ("on");
CREATE INDEX ix_audit_user_id ON audit (user_id);
CREATE INDEX ix_batches_job_id ON batches (job_id);
CREATE INDEX ix_batches_user_id ON batches (user_id);
CREATE INDEX ix_jobs_user_id ON jobs (user_id);
CREATE INDEX ix_jobs_waiting ON jobs (state, not_before);
CREATE INDEX ix_uploads_user_id ON uploads (user_id);
CREATE INDEX ix_checks_batch_id ON checks (batch_id);
CREATE INDEX ix_checks_job_id ON checks (job_id);
CREATE INDEX ix_checks_made_on ON checks (made_on);
CREATE INDEX ix_checks_user_id ON checks (user_id);
CREATE INDEX ix_refresh_tokens_session_id ON refresh_tokens (session_id);
CREATE INDEX ix_check_confirmations_check_id ON check_confirmations (check_id);
CREATE INDEX ix_check_confirmations_user_id ON check_confirmations (user_id);
CREATE INDEX ix_check_exclusions_check_id ON check_exclusions (check_id);
CREATE INDEX ix_check_exclusions_user_id ON check_exclusions (user_id);
CREATE INDEX ix_password_resets_user_id ON password_resets (user_id);
CREATE INDEX ix_erasures_made_on ON erasures (made_on);
CREATE INDEX ix_erasures_user_id ON erasures (user_id);
CREATE INDEX ix_concept_blocks_in_order ON concept_blocks (recipe_id, change, document_id);
CREATE INDEX ix_sketches_others ON sketches (document_id, recipe_id, change, others) WHERE others IS NOT NULL;
CREATE INDEX ix_certificates_check_id ON certificates (check_id);
CREATE INDEX ix_certificates_user_id ON certificates (user_id);
CREATE INDEX ix_identities_user_id ON identities (user_id);
CREATE INDEX ix_login_requests_provider_id ON login_requests (provider_id);
CREATE INDEX ix_mail_queue_not_before ON mail_queue (not_before);
CREATE INDEX ix_mail_queue_user_id ON mail_queue (user_id);
CREATE INDEX ix_recovery_codes_user_id ON recovery_codes (user_id);
CREATE INDEX ix_consent_texts_user_id ON consent_texts (user_id);
CREATE INDEX ix_courses_user_id ON courses (user_id);
CREATE INDEX ix_assignments_course_id ON assignments (course_id);
CREATE INDEX ix_assignments_due_on ON assignments (due_on);
CREATE INDEX ix_assignments_user_id ON assignments (user_id);
CREATE INDEX ix_course_members_user_id ON course_members (user_id);
CREATE INDEX ix_assignment_files_assignment_id ON assignment_files (assignment_id);
CREATE INDEX ix_report_links_batch_id ON report_links (batch_id);
CREATE INDEX ix_report_links_check_id ON report_links (check_id);
CREATE INDEX ix_report_links_recipient_id ON report_links (recipient_id);
CREATE INDEX ix_report_links_user_id ON report_links (user_id);
CREATE INDEX ix_self_checks_assignment_id ON self_checks (assignment_id);
CREATE INDEX ix_self_checks_job_id ON self_checks (job_id);
CREATE INDEX ix_self_checks_user_id ON self_checks (user_id);
CREATE INDEX ix_submissions_assignment_id ON submissions (assignment_id);
CREATE INDEX ix_submissions_check_id ON submissions (check_id);
CREATE INDEX ix_submissions_consent_id ON submissions (consent_id);
CREATE INDEX ix_submissions_handed_in_by ON submissions (handed_in_by);
CREATE INDEX ix_submissions_job_id ON submissions (job_id);
CREATE INDEX ix_submissions_user_id ON submissions (user_id);
CREATE INDEX ix_commission_decisions_check_id ON commission_decisions (check_id);
CREATE INDEX ix_commission_decisions_link_id ON commission_decisions (link_id);
CREATE INDEX ix_commission_decisions_user_id ON commission_decisions (user_id);
CREATE INDEX ix_report_link_openings_link_id_on ON report_link_openings (link_id, "on");
CREATE INDEX ix_report_link_openings_user_id ON report_link_openings (user_id);
CREATE INDEX ix_audit_person ON audit (person);
CREATE INDEX ix_check_comments_check_id ON check_comments (check_id);
CREATE INDEX ix_check_comments_user_id ON check_comments (user_id);
CREATE INDEX ix_check_comments_link_id ON check_comments (link_id);
CREATE INDEX ix_collections_owner_id ON collections (owner_id);
CREATE INDEX ix_sessions_user_id ON sessions (user_id);
CREATE INDEX ix_sessions_identity_id ON sessions (identity_id);
CREATE INDEX ix_sessions_provider_session ON sessions (provider_session);
COMMIT;
