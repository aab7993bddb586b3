// A bot that checks and calls, and keeps count of what it has won; where there is nothing to call it takes the first
// legal choice. Node.js, nothing to install.
//
// dealer match 'exec:node examples/bots/caller_bot.js' rule --game holdem --deals 20
const lines = require("readline").createInterface({ input: process.stdin });
const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

let seat = 0;
let won = 0;
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    send({ type: "hello", protocol: 1, name: "caller.js" });
  } else if (message.type === "begin") {
    seat = message.seat;
  } else if (message.type === "events") {
    for (const event of message.events) if (event.event === "hand_ended") won += event.net[seat];
  } else if (message.type === "request") {
    const calm = message.legal.find((choice) => choice.kind === "check" || choice.kind === "call");
    send({ type: "answer", id: message.id, text: (calm || message.legal[0]).text });
  } else if (message.type === "bye") {
    console.error(`caller.js: ${won} won`);
    process.exit(0);
  }
});
