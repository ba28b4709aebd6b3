package dev.gannet.client.balancer;

/** Pickers that say the same to every call. */
final class Pickers {
  static final Picker WAITING = new Same(Pick.queue());

  private Pickers() {}

  record Same(Pick pick) implements Picker {
    @Override
    public Pick pick(PickArgs args) {
      return pick;
    }
  }
}
