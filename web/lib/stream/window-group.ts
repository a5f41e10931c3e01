/** The leader's report to the group, every two seconds and after each change. */
type Message<Status, Data> =
  | { kind: "join" | "leave"; from: string }
  | { kind: "lead"; from: string; status: Status }
  | { kind: "data"; from: string; data: Data };

type Options<Status, Data> = {
  /** Windows that share work have the same name. */
  name: string;
  /** This window does the work for all from now on. */
  onLead: () => void;
  /** Another window does the work now, or still does. `isNew`: this window did not follow it before. */
  onFollow: (status: Status, isNew: boolean) => void;
  /** Called with the leader's data. */
  onData: (data: Data) => void;
  /** This window's report while it is the leader. */
  status: () => Status;
  timings?: typeof TIMINGS;
};

/** Milliseconds. */
const TIMINGS = {
  /** Between two reports of the leader. */
  beat: 2000,
  /** Time until a leader without reports is lost. */
  silence: 6000,
  /** Time for a leader's answer to a window that joins. */
  answer: 200,
};

/**
 * Elects one window of a browser to do work for all, by messages over a BroadcastChannel, because pages over plain HTTP have
 * no Web Locks. A leader that leaves is replaced at once, a crashed one after the silence. Of two leaders the one with the
 * greater id gives way, so two windows do the work for a moment at most.
 */
export const joinWindowGroup = <Status, Data>(options: Options<Status, Data>) => {
  const { name, onLead, onFollow, onData, status, timings = TIMINGS } = options;
  const self = String(Math.random());
  const channel = new BroadcastChannel(name);
  let leader: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const post = (message: Message<Status, Data>): void => channel.postMessage(message);

  const beat = (): void => {
    clearTimeout(timer);
    post({ kind: "lead", from: self, status: status() });
    timer = setTimeout(beat, timings.beat);
  };

  const lead = (): void => {
    leader = self;
    onLead();
    beat();
  };

  const leadIn = (delay: number): void => {
    clearTimeout(timer);
    timer = setTimeout(lead, delay);
  };

  const follow = (from: string, reported: Status): void => {
    if (leader === self && self < from) {
      beat();
      return;
    }
    const isNew = leader !== from;
    leader = from;
    leadIn(timings.silence * (1 + Math.random() / 4));
    onFollow(reported, isNew);
  };

  channel.onmessage = ({ data: message }: MessageEvent<Message<Status, Data>>) => {
    if (message.kind === "lead") follow(message.from, message.status);
    else if (message.kind === "join" && leader === self) beat();
    else if (message.kind === "leave" && leader === message.from) leadIn((timings.answer * Math.random()) / 2);
    else if (message.kind === "data" && leader === message.from) onData(message.data);
  };
  post({ kind: "join", from: self });
  leadIn(timings.answer * (1 + Math.random() / 4));

  return {
    /** Sends something to the other windows, as the leader. */
    publish: (data: Data): void => {
      if (leader === self) post({ kind: "data", from: self, data });
    },
    /** Reports a changed status at once, as the leader. */
    report: (): void => {
      if (leader === self) beat();
    },
    leave: (): void => {
      clearTimeout(timer);
      if (leader === self) post({ kind: "leave", from: self });
      leader = null;
      channel.close();
    },
  };
};
