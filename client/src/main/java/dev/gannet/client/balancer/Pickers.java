package dev.gannet.client.balancer;

import java.util.List;

/** Pickers with the same decision for every call. */
final class Pickers {
  static final Picker QUEUEING = new Same(Pick.queue());

  private Pickers() {}

  /** The pickers of the endpoints, in their order. */
  static List<Picker> of(List<? extends ReadyEndpoint<?>> endpoints) {
    return endpoints.stream().<Picker>map(ReadyEndpoint::picker).toList();
  }

  record Same(Pick pick) implements Picker {
    @Override
    public Pick pick(PickArgs args) {
      return pick;
    }
  }
}
