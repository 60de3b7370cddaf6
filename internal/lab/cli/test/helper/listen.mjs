/** Servers on a free port of this machine. They are closed at the end of the test that started them. */

import { createServer } from "node:http";

/**
 * @param {import("node:net").Server} server  an HTTP or TCP server
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export function listen(server) {
  const sockets = new Set();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {}); // the tool closes connections to some of these servers
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (!address || typeof address === "string") throw new Error("the server has no port");
      resolve({
        url: `http://127.0.0.1:${address.port}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of sockets) socket.destroy();
          }),
      });
    });
  });
}

/**
 * Starts an HTTP server for one test.
 *
 * @param {import("node:test").TestContext} t
 * @param {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse, count: number) => void} handler
 *   count is 1 for the first request
 * @returns {Promise<string>} its base URL
 */
export async function serve(t, handler) {
  let count = 0;
  const server = await listen(createServer((request, response) => handler(request, response, ++count)));
  t.after(server.close);
  return server.url;
}
