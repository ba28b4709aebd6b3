package dev.gannet.examples.kotlin

import dev.gannet.api.ServerServiceDefinition
import dev.gannet.api.Status
import dev.gannet.api.stub.AsyncHandlers
import dev.gannet.api.stub.Incoming
import dev.gannet.api.stub.Outgoing
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.CopyOnWriteArrayList

/**
 * The book as guestbook.proto describes it. Handlers are plain functions on virtual threads, and
 * may block; [sign] is bound as one that does not. Safe for all threads.
 */
class MyGuestbook : Guestbook {
    private val entries = CopyOnWriteArrayList<Entry>()

    override fun bindService(): ServerServiceDefinition =
        super.bindService().with(GuestbookMethods.SIGN, AsyncHandlers.unary(::signLater))

    override fun sign(request: Entry): Receipt {
        if (request.text.isEmpty()) {
            throw Status.INVALID_ARGUMENT.withDescription("a text is needed").asException()
        }
        entries += request
        return receipt()
    }

    /** The same without a thread that waits; a real one would give the entry to a database. */
    private fun signLater(request: Entry): CompletionStage<Receipt> =
        CompletableFuture.supplyAsync { sign(request) }

    override fun read(request: ReadRequest, responses: Outgoing<Entry>) {
        entries
            .filter { request.guest.isEmpty() || it.guest == request.guest }
            .forEach(responses::send) // blocks while the client does not read
    }

    override fun signAll(requests: Incoming<Entry>): Receipt {
        requests.forEach { sign(it) }
        return receipt()
    }

    override fun converse(requests: Incoming<Entry>, responses: Outgoing<Entry>) {
        for (request in requests) {
            entries.lastOrNull()?.let(responses::send)
            sign(request)
        }
    }

    private fun receipt() = Receipt.newBuilder().setEntries(entries.size).build()
}
