// A client of the YAML language server. Like an editor, it uses the Language Server Protocol 3.17 over the server's standard
// input and output.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Starts the server for a folder, with the editor settings in that folder. */
export async function startServer(folder, settings) {
	const manifest = require.resolve('yaml-language-server/package.json');
	const bin = path.join(path.dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin['yaml-language-server']);
	const server = new Server(spawn(process.execPath, [bin, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] }), folder, settings);
	await server.initialize();
	return server;
}

class Server {
	constructor(child, folder, settings) {
		this.child = child;
		this.folder = folder;
		this.settings = settings;
		this.next = 1;
		this.calls = new Map();
		this.listeners = [];
		this.buffer = Buffer.alloc(0);
		child.stdout.on('data', (data) => this.receive(data));
	}

	async initialize() {
		const uri = pathToFileURL(this.folder).href;
		await this.call('initialize', {
			processId: process.pid,
			rootUri: uri,
			workspaceFolders: [{ uri, name: 'site' }],
			capabilities: {
				workspace: { configuration: true, workspaceFolders: true, didChangeConfiguration: {} },
				textDocument: {
					completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
					hover: { contentFormat: ['markdown'] },
					publishDiagnostics: {},
				},
			},
		});
		this.notify('initialized', {});
		this.notify('workspace/didChangeConfiguration', { settings: this.settings });
	}

	/** Opens a file with the given content and returns the problems that the server finds in it. */
	async open(name, text) {
		const uri = pathToFileURL(path.join(this.folder, name)).href;
		const told = this.once('textDocument/publishDiagnostics', (p) => p.uri === uri);
		this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
		const { diagnostics } = await told;
		return { uri, diagnostics };
	}

	/** Returns the completions that the server offers at a zero-based position. */
	async complete(uri, line, character) {
		const answer = await this.call('textDocument/completion', { textDocument: { uri }, position: { line, character } });
		return Array.isArray(answer) ? answer : answer.items;
	}

	async hover(uri, line, character) {
		const answer = await this.call('textDocument/hover', { textDocument: { uri }, position: { line, character } });
		return answer?.contents?.value ?? '';
	}

	async stop() {
		const ended = new Promise((resolve) => this.child.once('exit', resolve));
		await this.call('shutdown', null);
		this.notify('exit', null);
		this.child.stdin.end();
		await ended;
	}

	call(method, params) {
		const id = this.next++;
		const answered = new Promise((resolve, reject) => this.calls.set(id, { resolve, reject }));
		this.send({ id, method, params });
		return answered;
	}

	notify(method, params) {
		this.send({ method, params });
	}

	once(method, matches) {
		return new Promise((resolve) => this.listeners.push({ method, matches, resolve }));
	}

	send(message) {
		const body = JSON.stringify({ jsonrpc: '2.0', ...message });
		this.child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
	}

	receive(data) {
		this.buffer = Buffer.concat([this.buffer, data]);
		for (;;) {
			const end = this.buffer.indexOf('\r\n\r\n');
			if (end < 0) return;
			const length = Number(/Content-Length: (\d+)/i.exec(this.buffer.subarray(0, end).toString())[1]);
			if (this.buffer.length < end + 4 + length) return;
			const body = this.buffer.subarray(end + 4, end + 4 + length).toString();
			this.buffer = this.buffer.subarray(end + 4 + length);
			this.take(JSON.parse(body));
		}
	}

	take(message) {
		if (message.method === undefined) {
			const call = this.calls.get(message.id);
			this.calls.delete(message.id);
			if (message.error) call.reject(new Error(message.error.message));
			else call.resolve(message.result);
			return;
		}
		if (message.id !== undefined) this.answer(message);
		const heard = this.listeners.filter((l) => l.method === message.method && l.matches(message.params));
		this.listeners = this.listeners.filter((l) => !heard.includes(l));
		for (const l of heard) l.resolve(message.params);
	}

	/** Responds to the server's requests, mainly for its settings. */
	answer({ id, method, params }) {
		let result = null;
		if (method === 'workspace/configuration') {
			result = params.items.map(({ section }) => this.settings[section] ?? {});
		} else if (method === 'workspace/workspaceFolders') {
			result = [{ uri: pathToFileURL(this.folder).href, name: 'site' }];
		}
		this.send({ id, result });
	}
}
