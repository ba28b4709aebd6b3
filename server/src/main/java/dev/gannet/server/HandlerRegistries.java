package dev.gannet.server;

import dev.gannet.api.ServerServiceDefinition;
import java.util.List;
import java.util.stream.Stream;

/**
 * The registries of a builder: the first one added is asked first. Immutable.
 *
 * @param all each with the options that it was added with
 */
record HandlerRegistries(List<Added> all) {
  static final HandlerRegistries NONE = new HandlerRegistries(List.of());

  HandlerRegistries {
    all = List.copyOf(all);
  }

  /**
   * A registry and what applies to its methods.
   *
   * @param options those of the extension that added it, if one did
   */
  record Added(HandlerRegistry registry, ServiceOptions options) {}

  /** These registries, without options. */
  static HandlerRegistries of(HandlerRegistry... registries) {
    return new HandlerRegistries(
        Stream.of(registries).map(it -> new Added(it, ServiceOptions.DEFAULT)).toList());
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  boolean has(String fullMethodName) {
    return all.stream().anyMatch(it -> it.registry().find(fullMethodName).isPresent());
  }

  /** The current services of all registries. */
  List<ServerServiceDefinition> services() {
    return all.stream().flatMap(it -> it.registry().services().stream()).toList();
  }
}
