package dev.gannet.server;

import java.net.SocketAddress;
import java.util.List;
import java.util.Map;

/**
 * The state of a server at one moment.
 *
 * @param id its number, which is unique among servers, connections and channels of this process
 * @param calls calls with a known method; a call counts as succeeded if its status is OK and was
 *     written to the network. All 0 if the server {@linkplain ServerBuilder#countCalls does not
 *     count}
 * @param methods the counts by method, by full name: methods that were added to the builder, and
 *     recently called ones of its fallback registry
 * @param listening the addresses on which it listens
 * @param connections the open connections, oldest first
 */
public record ServerSnapshot(
    long id,
    CallCounts calls,
    Map<String, MethodCounts> methods,
    List<ListenSocket> listening,
    List<ConnectionSnapshot> connections) {
  /** An address on which a server listens, and its number. */
  public record ListenSocket(long id, SocketAddress address) {}
}
