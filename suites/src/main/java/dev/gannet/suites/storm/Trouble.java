package dev.gannet.suites.storm;

import java.util.List;
import java.util.stream.Stream;

/** Kinds of failures and changes in a storm. */
enum Trouble {
  STALL_ONE(Subject.NETWORK, true),
  STALL_ALL(Subject.NETWORK, true),
  STALL_FOREVER(Subject.NETWORK, false),
  CUT_ALL(Subject.NETWORK, false),
  CUT_ONE(Subject.NETWORK, false),
  RESET(Subject.NETWORK, false),
  HALF_CLOSE(Subject.NETWORK, false),
  REFUSE(Subject.NETWORK, false),
  REPLACE_SERVER(Subject.PROGRAMS, false),
  KILL_SERVER(Subject.PROGRAMS, false),
  SHUT_DOWN_CHANNEL(Subject.PROGRAMS, false),
  KILL_CHANNEL(Subject.PROGRAMS, false),
  CHANGE_ADDRESSES(Subject.PROGRAMS, true),
  FAIL_TO_RESOLVE(Subject.PROGRAMS, false),
  FIND_NAMES_AGAIN(Subject.PROGRAMS, true),
  ENTER_IDLE(Subject.PROGRAMS, true),
  RESET_BACKOFF(Subject.PROGRAMS, true);

  /** What a trouble changes. */
  enum Subject {
    NETWORK,
    /** Channels, servers and resolvers. */
    PROGRAMS
  }

  private final Subject subject;
  private final boolean gentle;

  Trouble(Subject subject, boolean gentle) {
    this.subject = subject;
    this.gentle = gentle;
  }

  /** All kinds, where there is a network. */
  static List<Trouble> all() {
    return List.of(values());
  }

  /** The kinds that need no network. */
  static List<Trouble> ofPrograms() {
    return Stream.of(values()).filter(kind -> kind.subject == Subject.PROGRAMS).toList();
  }

  Subject subject() {
    return subject;
  }

  /** Whether it makes calls wait, but ends none. */
  boolean isGentle() {
    return gentle;
  }
}
