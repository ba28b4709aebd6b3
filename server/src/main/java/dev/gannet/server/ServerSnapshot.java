package dev.gannet.server;

import java.net.SocketAddress;
import java.util.List;
import java.util.Map;

/**
 * A server at one moment.
 *
 * @param id its number, which no other server, connection or channel of this process has
 * @param calls those that had a method; one succeeds where its status is OK and was handed to the
 *     network. All 0 where the server {@linkplain ServerBuilder#countCalls does not count}
 * @param methods the same by method, by full name: those that the server was built with, and those
 *     of its fallback registry that were called lately
 * @param listening where it takes connections
 * @param connections those that are open, oldest first
 */
public record ServerSnapshot(
    long id,
    CallCounts calls,
    Map<String, MethodCounts> methods,
    List<ListenSocket> listening,
    List<ConnectionSnapshot> connections) {
  /** An address that a server listens on, and its number. */
  public record ListenSocket(long id, SocketAddress address) {}
}
