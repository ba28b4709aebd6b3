package dev.gannet.server;

import java.net.SocketAddress;
import java.util.List;
import java.util.Map;

/** The state of a server at one moment. Immutable; only created by Gannet. */
public final class ServerSnapshot {
  /** An address on which a server listens, and its number. */
  public static final class ListenSocket {
    private final long id;
    private final SocketAddress address;

    ListenSocket(long id, SocketAddress address) {
      this.id = id;
      this.address = address;
    }

    /** Its number, which is unique among servers, connections and channels of this process. */
    public long id() {
      return id;
    }

    /** The address with the actual port, also if 0 was requested. */
    public SocketAddress address() {
      return address;
    }

    @Override
    public String toString() {
      return "ListenSocket[id=" + id + ", address=" + address + "]";
    }
  }

  /** The values. */
  record Values(
      long id,
      CallCounts calls,
      Map<String, CallCounts> methods,
      List<ListenSocket> listening,
      List<ConnectionSnapshot> connections) {}

  private final Values values;

  ServerSnapshot(Values values) {
    this.values = values;
  }

  /** Its number, which is unique among servers, connections and channels of this process. */
  public long id() {
    return values.id;
  }

  /**
   * Calls with a known method, of all connections since the server started. All 0 if the server
   * {@linkplain ServerBuilder#countCalls does not count}.
   */
  public CallCounts calls() {
    return values.calls;
  }

  /**
   * The counts by full method name: methods that were added to the builder, and recently called
   * ones of its fallback registry.
   */
  public Map<String, CallCounts> methods() {
    return values.methods;
  }

  /** The addresses on which it listens. */
  public List<ListenSocket> listening() {
    return values.listening;
  }

  /** The open connections, oldest first. */
  public List<ConnectionSnapshot> connections() {
    return values.connections;
  }

  @Override
  public String toString() {
    return "ServerSnapshot" + values.toString().substring("Values".length());
  }
}
