/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the kernel is preempted: a fact of the folio that is being cleared, the only code that asks.
 */
#ifndef PD_LINUX_PREEMPT_H
#define PD_LINUX_PREEMPT_H

#include "pd/clearing.h"

static inline bool preempt_model_none(void)
{
	return pd_world->clearing->preempt == PD_PREEMPT_NONE;
}

static inline bool preempt_model_voluntary(void)
{
	return pd_world->clearing->preempt == PD_PREEMPT_VOLUNTARY;
}

static inline bool preempt_model_full(void)
{
	return pd_world->clearing->preempt == PD_PREEMPT_FULL;
}

static inline bool preempt_model_lazy(void)
{
	return pd_world->clearing->preempt == PD_PREEMPT_LAZY;
}

static inline bool preempt_model_rt(void)
{
	return pd_world->clearing->preempt == PD_PREEMPT_RT;
}

/* May a task lose its CPU anywhere, without cond_resched()? */
static inline bool preempt_model_preemptible(void)
{
	return preempt_model_full() || preempt_model_lazy() || preempt_model_rt();
}

/* ---- cond_resched() is an event here ---- */

#undef cond_resched
#define cond_resched() pd_clearing_resched(pd_world->clearing)

#endif
