/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assertions: what kernel code finds wrong by itself goes to the judge.
 */
#ifndef PD_LINUX_MMDEBUG_H
#define PD_LINUX_MMDEBUG_H

#include "pd/types.h"

void pd_warn(const char *condition);

#define PD_WARN(cond, text)			\
({						\
	bool pd_hit_ = !!(cond);		\
	if (unlikely(pd_hit_))			\
		pd_warn(text);			\
	pd_hit_;				\
})
#define PD_LINE_TEXT(line)		#line
#define PD_LINE(line)			PD_LINE_TEXT(line)
#define PD_HERE(text)			__FILE__ ":" PD_LINE(__LINE__) ": " text
#define WARN_ON(cond)			PD_WARN(cond, PD_HERE(#cond))
#define WARN_ON_ONCE(cond)		PD_WARN(cond, PD_HERE(#cond))
#define VM_WARN_ON(cond)		PD_WARN(cond, PD_HERE(#cond))
#define VM_WARN_ON_ONCE(cond)		PD_WARN(cond, PD_HERE(#cond))
#define VM_WARN_ONCE(cond, ...)		PD_WARN(cond, PD_HERE(#cond))
#define VM_WARN_ON_FOLIO(cond, folio)	((void)(folio), PD_WARN(cond, PD_HERE(#cond)))
#define VM_BUG_ON(cond)			((void)PD_WARN(cond, PD_HERE(#cond)))
#define VM_BUG_ON_FOLIO(cond, folio)	((void)(folio), (void)PD_WARN(cond, PD_HERE(#cond)))
#define BUG_ON(cond)			((void)PD_WARN(cond, PD_HERE(#cond)))

#endif
