package dev.gannet.server;

import dev.gannet.api.BindableService;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

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
   * @return the replaced service
   */
  public Optional<ServerServiceDefinition> add(ServerServiceDefinition service) {
    lock.lock();
    try {
      Map<String, ServerServiceDefinition> changed = new TreeMap<>(contents.services);
      Optional<ServerServiceDefinition> before =
          Optional.ofNullable(changed.put(service.serviceName(), service));
      contents = Contents.of(changed);
      return before;
    } finally {
      lock.unlock();
    }
  }

  /** Removes this service; returns false if it is not there, or was replaced by another. */
  public boolean remove(ServerServiceDefinition service) {
    lock.lock();
    try {
      Map<String, ServerServiceDefinition> changed = new TreeMap<>(contents.services);
      boolean removed = changed.remove(service.serviceName(), service);
      contents = Contents.of(changed);
      return removed;
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
    return List.copyOf(contents.services.values());
  }

  /** Immutable; replaced as a whole. */
  private record Contents(
      Map<String, ServerServiceDefinition> services,
      Map<String, ServerMethodDefinition<?, ?>> methods) {
    static Contents of(Map<String, ServerServiceDefinition> services) {
      Map<String, ServerMethodDefinition<?, ?>> methods = new TreeMap<>();
      for (ServerServiceDefinition service : services.values()) {
        service.methods().forEach(it -> methods.put(it.method().fullMethodName(), it));
      }
      return new Contents(services, methods);
    }
  }
}
