package dev.gannet.server;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerServiceDefinition;
import java.util.List;
import java.util.Map;

/**
 * The limits of methods and services in a server's builder. Immutable.
 *
 * @param byName by {@code package.Service/Method} or by {@code package.Service}
 */
record LimitsByMethod(Map<String, MethodLimits> byName) {
  static final LimitsByMethod NONE = new LimitsByMethod(Map.of());

  /** The limits of a method: its own have priority over those of its service. */
  MethodLimits of(MethodDescriptor<?, ?> method) {
    if (byName.isEmpty()) {
      return MethodLimits.OF_SERVER;
    }
    MethodLimits own = byName.getOrDefault(method.fullMethodName(), MethodLimits.OF_SERVER);
    return own.orElse(byName.getOrDefault(method.serviceName(), MethodLimits.OF_SERVER));
  }

  /**
   * Checks that each name is a method or service of the server. With a registry, only names of the
   * services that were added can be checked, because the registry may get others later.
   *
   * @throws IllegalArgumentException if one is not
   */
  void checkNames(List<ServerServiceDefinition> services, HandlerRegistries fallback) {
    for (String name : byName.keySet()) {
      if (services.stream().noneMatch(service -> isIn(service, name))
          && (fallback.isEmpty() || !mayHave(fallback, name, services))) {
        throw new IllegalArgumentException(
            "methodLimits names a method or service that the server does not have: " + name);
      }
    }
  }

  /** A registry can also have methods of a service that was added, such as newer ones. */
  private static boolean mayHave(
      HandlerRegistries registries, String name, List<ServerServiceDefinition> services) {
    String service = name.substring(0, Math.max(0, name.lastIndexOf('/')));
    boolean isOther = services.stream().noneMatch(it -> it.serviceName().equals(service));
    return !name.startsWith("/") && (isOther || registries.has(name));
  }

  private static boolean isIn(ServerServiceDefinition service, String name) {
    return service.serviceName().equals(name)
        || service.methods().stream().anyMatch(it -> it.method().fullMethodName().equals(name));
  }
}
