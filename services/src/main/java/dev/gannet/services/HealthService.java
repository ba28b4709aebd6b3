package dev.gannet.services;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import dev.gannet.server.ServerObserver;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthCheckResponse;
import dev.gannet.services.health.v1.HealthListRequest;
import dev.gannet.services.health.v1.HealthListResponse;
import dev.gannet.services.health.v1.HealthMethods;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells clients and load balancers which services of a server can be called: {@code
 * grpc.health.v1.Health}. Added by {@link ServerBuilder#add(ServerExtension)}; safe for all
 * threads.
 *
 * <pre>
 *   HealthService health = new HealthService();
 *   Server server = Server.builder(50_051).plaintext().add(new MyGreeter()).add(health).start();
 *   health.setStatus("hello.Greeter", HealthStatus.NOT_SERVING);
 * </pre>
 *
 * <p>The empty name means the whole server, which is {@code SERVING} from the start; other services
 * are unknown until {@link #setStatus} is called for them. For an unknown service, {@code Check}
 * ends with {@code NOT_FOUND}; {@code Watch} sends {@code SERVICE_UNKNOWN} and continues.
 *
 * <p>Changes of statuses never block: virtual threads send them to the clients that watch. A watch
 * sends the newest status: one that is replaced before it can be sent is skipped.
 *
 * <p>Its calls are exempt from {@link dev.gannet.server.LoadShedding}: a busy server that refused
 * its health checks would be restarted.
 *
 * <p>When the server shuts down, all services become {@code NOT_SERVING} permanently; watches end
 * when it drains. One object may be added to several servers: the first of them that shuts down
 * decides.
 */
public final class HealthService implements ServerExtension {
  /** The name of the whole server. */
  public static final String WHOLE_SERVER = "";

  private static final int MAX_LISTED = 100; // gRFC A90

  private static final Status DRAINING =
      Status.UNAVAILABLE.withDescription("the server is shutting down");

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, HealthStatus> statuses = new TreeMap<>();
  private final Set<HealthWatch> watches = new LinkedHashSet<>();
  private boolean terminal;
  private boolean draining;

  /** The whole server is SERVING, and all services are unknown. */
  public HealthService() {
    statuses.put(WHOLE_SERVER, HealthStatus.SERVING);
  }

  /**
   * Sets the status of a service, by its full name. Has no effect after {@link
   * #enterTerminalState}.
   *
   * @param service {@code package.Service}, or {@link #WHOLE_SERVER}
   */
  public void setStatus(String service, HealthStatus status) {
    Objects.requireNonNull(service, "service");
    Objects.requireNonNull(status, "status");
    lock.lock();
    try {
      if (!terminal) {
        statuses.put(service, status);
      }
    } finally {
      lock.unlock();
    }
    tellWatches();
  }

  /** Removes a service: it becomes unknown. Has no effect after the terminal state. */
  public void clearStatus(String service) {
    lock.lock();
    try {
      if (!terminal) {
        statuses.remove(service);
      }
    } finally {
      lock.unlock();
    }
    tellWatches();
  }

  /** The status of a service; empty if it is unknown. */
  public Optional<HealthStatus> status(String service) {
    lock.lock();
    try {
      return Optional.ofNullable(statuses.get(service));
    } finally {
      lock.unlock();
    }
  }

  /**
   * All known services are {@code NOT_SERVING} from now on, whatever is set later. Called
   * automatically when the server shuts down.
   */
  public void enterTerminalState() {
    lock.lock();
    try {
      terminal = true;
      statuses.replaceAll((service, status) -> HealthStatus.NOT_SERVING);
    } finally {
      lock.unlock();
    }
    tellWatches();
  }

  @Override
  public void addTo(ServerBuilder builder) {
    builder.add(definition()).observe(new OfServer());
  }

  /**
   * On virtual threads, whatever the server's dispatch is: health checks work even if an executor
   * is busy. Not on event loops, because interceptors may block.
   */
  private ServerServiceDefinition definition() {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            HealthMethods.SERVICE_NAME,
            List.<ServerMethodDefinition<?, ?>>of(
                ServerMethodDefinition.of(HealthMethods.CHECK, BlockingHandlers.unary(this::check)),
                ServerMethodDefinition.of(HealthMethods.LIST, BlockingHandlers.unary(this::list)),
                ServerMethodDefinition.of(
                    HealthMethods.WATCH, (call, headers) -> new HealthWatch(this, call))));
    return service.map(
        method -> method.withDispatch(Dispatch.virtualThreads()).withoutLoadShedding());
  }

  private HealthCheckResponse check(HealthCheckRequest request) {
    return status(request.getService())
        .map(HealthStatus::response)
        .orElseThrow(() ->
            Status.NOT_FOUND
                .withDescription("the health of this service is unknown")
                .asException());
  }

  private HealthListResponse list(HealthListRequest request) {
    Map<String, HealthStatus> known = statuses();
    if (known.size() > MAX_LISTED) {
      throw Status.RESOURCE_EXHAUSTED
          .withDescription("more than " + MAX_LISTED + " services have a health status")
          .asException();
    }
    HealthListResponse.Builder all = HealthListResponse.newBuilder();
    known.forEach((service, status) -> all.putStatuses(service, status.response()));
    return all.build();
  }

  private Map<String, HealthStatus> statuses() {
    lock.lock();
    try {
      return new TreeMap<>(statuses);
    } finally {
      lock.unlock();
    }
  }

  /** Registers a watch, unless the server drains. */
  void begin(HealthWatch watch) {
    boolean late;
    lock.lock();
    try {
      late = draining;
      if (!late) {
        watches.add(watch);
      }
    } finally {
      lock.unlock();
    }
    if (late) {
      watch.end(DRAINING);
    } else {
      watch.tell();
    }
  }

  /** The watch is over. */
  void forget(HealthWatch watch) {
    lock.lock();
    try {
      watches.remove(watch);
    } finally {
      lock.unlock();
    }
  }

  private void tellWatches() {
    snapshot().forEach(HealthWatch::tell);
  }

  private List<HealthWatch> snapshot() {
    lock.lock();
    try {
      return List.copyOf(watches);
    } finally {
      lock.unlock();
    }
  }

  private void drain() {
    lock.lock();
    try {
      draining = true;
    } finally {
      lock.unlock();
    }
    snapshot().forEach(watch -> watch.end(DRAINING));
  }

  private final class OfServer implements ServerObserver {
    @Override
    public void onShutdown(Server server) {
      enterTerminalState();
    }

    @Override
    public void onDrain(Server server) {
      drain();
    }
  }
}
