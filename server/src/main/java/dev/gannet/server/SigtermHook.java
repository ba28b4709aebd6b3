package dev.gannet.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Closes servers when the process is asked to terminate; removes those that have ended before. */
final class SigtermHook implements ServerObserver {
  private final Map<Server, Thread> hooks = new ConcurrentHashMap<>();

  @Override
  public void onStart(Server server) {
    Thread hook = Thread.ofPlatform().name("gannet-sigterm").unstarted(server::close);
    Runtime.getRuntime().addShutdownHook(hook);
    hooks.put(server, hook);
  }

  @Override
  public void onTerminated(Server server) {
    Thread hook = hooks.remove(server);
    if (hook != null && !hook.isAlive()) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // the process is already ending, and the hook finds a server that has ended
      }
    }
  }
}
