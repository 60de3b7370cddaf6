// A server that responds with 200 to every message that Node.js's parser (llhttp) accepts as a
// request. The parser itself responds to the others.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  response.end("ok");
});
server.on("connect", (request, socket) => {
  socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
});
server.listen(0, "127.0.0.1", () => {
  console.log(server.address().port);
});
process.stdin.on("end", () => process.exit()).resume();
