package dev.gannet.server;

import dev.gannet.api.BindableService;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Services that can be added and removed while a server runs. A removed service gets no new calls;
 * running calls continue. Safe for all threads; a lookup takes no lock.
 */
public final class MutableHandlerRegistry implements HandlerRegistry {
  private final ReentrantLock lock =
      new ReentrantLock(); // taken by threads that change the contents
  private volatile Contents contents = Contents.of(Map.of());

  /** A registry without services. */
  public MutableHandlerRegistry() {}

  /** As {@link #add(ServerServiceDefinition)}. */
  public Optional<ServerServiceDefinition> add(BindableService service) {
    return add(service.bindService());
  }

  /**
   * Serves this service from now on, and replaces one of the same name.
   *
   * @return the replaced service, with its options: it can be added again as it was
   */
  public Optional<ServerServiceDefinition> add(ServerServiceDefinition service) {
    return put(new Added(service, service));
  }

  /**
   * As {@link #add(ServerServiceDefinition)}, with options of its own, as those of {@link
   * ServerBuilder#add(BindableService, UnaryOperator)}: {@code registry.add(new MyGreeter(), it ->
   * it.withHeadersInterceptor(authentication))}.
   */
  public Optional<ServerServiceDefinition> add(
      BindableService service, UnaryOperator<ServiceOptions> change) {
    ServerServiceDefinition given = Objects.requireNonNull(service, "service").bindService();
    return put(new Added(given, ServiceOptions.DEFAULT.changedBy(change).applyTo(given)));
  }

  private Optional<ServerServiceDefinition> put(Added service) {
    lock.lock();
    try {
      Map<String, Added> changed = new TreeMap<>(contents.services);
      Added before = changed.put(service.given().serviceName(), service);
      contents = Contents.of(changed);
      return Optional.ofNullable(before).map(Added::served);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes this service; returns false if it is not there, or was replaced by another. A service
   * with options may be given as it was added, or as {@link #services} has it.
   */
  public boolean remove(ServerServiceDefinition service) {
    lock.lock();
    try {
      Map<String, Added> changed = new TreeMap<>(contents.services);
      Added present = changed.get(service.serviceName());
      if (present == null || !present.is(service)) {
        return false;
      }
      changed.remove(service.serviceName());
      contents = Contents.of(changed);
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<ServerMethodDefinition<?, ?>> find(String fullMethodName) {
    return Optional.ofNullable(contents.methods.get(fullMethodName));
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return contents.services.values().stream().map(Added::served).toList();
  }

  /** A service as it was given, and with its options. */
  private record Added(ServerServiceDefinition given, ServerServiceDefinition served) {
    boolean is(ServerServiceDefinition service) {
      return service.equals(given) || service.equals(served);
    }
  }

  /** Immutable; replaced as a whole. */
  private record Contents(
      Map<String, Added> services, Map<String, ServerMethodDefinition<?, ?>> methods) {
    static Contents of(Map<String, Added> services) {
      Map<String, ServerMethodDefinition<?, ?>> methods = new TreeMap<>();
      for (Added service : services.values()) {
        service.served().methods().forEach(it -> methods.put(it.method().fullMethodName(), it));
      }
      return new Contents(services, methods);
    }
  }
}
