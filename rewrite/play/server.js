/* Requests to the server. If it does not answer, the page says so and tries again. */

import { keep, recall } from "./kept.js";

const WAITS = [500, 1000, 2000, 3000, 5000]; // milliseconds

export class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

export class Server {
  /* told(text): show a text as a banner; "" hides it. */
  constructor(told) {
    this.told = told;
    this.key = null;
    this.kept = false;
  }

  /* Use the key of the address, else the one stored for this origin. */
  open(key) {
    if (key) keep("localStorage", "key", key);
    const stored = recall("localStorage", "key");
    this.key = key || stored || this.key;
    this.kept = stored === this.key;
  }

  async ask(question, body = {}) {
    for (let failed = 0; ; failed += 1) {
      let answer;
      try {
        answer = await this.send(question, body);
      } catch {
        this.told("The server does not answer; trying again …");
        await new Promise((go) => setTimeout(go, WAITS[Math.min(failed, WAITS.length - 1)]));
        continue;
      }
      if (answer.status !== 401) this.told("");
      const facts = await answer.json().catch(() => ({ error: `status ${answer.status}` }));
      if (facts.error === undefined) return facts;
      if (answer.status === 401) this.told(facts.error);
      throw new Refused(answer.status, facts.error);
    }
  }

  send(question, body, more) {
    return fetch(`api/${question}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-rewrite-token": this.key ?? "" },
      body: JSON.stringify(body),
      credentials: "omit",
      ...more,
    });
  }

  /* Send something while the page unloads; the answer is ignored. */
  leave(question, body) {
    this.send(question, body, { keepalive: true }).catch(() => {});
  }
}
