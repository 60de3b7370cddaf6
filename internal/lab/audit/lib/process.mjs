import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program until it exits, and returns its output and exit code. */
export async function exec(program, args, { cwd, env, input } = {}) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdin.on('error', () => {}).end(input ?? '');
  try {
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  } catch (error) {
    throw error.code === 'ENOENT' ? new Error(`${program} cannot be started; install it, or check that ${cwd ?? 'the folder'} exists`) : error;
  }
}

/** Runs a program, and throws if its exit code isn't 0. */
export async function mustExec(program, args, options) {
  const done = await exec(program, args, options);
  if (done.code !== 0) {
    throw new Error(`${program} ${args.join(' ')} exited with ${done.code}:\n${done.stdout}${done.stderr}`);
  }
  return done;
}

/**
 * Starts a long-running program, and waits until ready returns a value for a line of the program's output. It returns
 * that value, a function that stops the program, and a function that returns the output.
 */
export async function start(program, args, ready, options = {}) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close').catch(() => {});
  let log = '';
  const value = await new Promise((resolve, reject) => {
    const patience = setTimeout(() => reject(new Error(`${program} is not ready after 60 seconds:\n${log}`)), 60_000);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        log += text;
        for (const line of log.split('\n')) {
          const found = ready(line);
          if (found) {
            clearTimeout(patience);
            resolve(found);
          }
        }
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(patience);
      reject(new Error(`${program} exited with ${code}:\n${log}`));
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { value, stop, log: () => log };
}
